// Data races of a recording: accesses to the same bytes, at least one a write and at least one not
// atomic, that nothing orders. A race is found where the recorded run had the right result too, and
// where its accesses lie far apart: what counts is whether synchronisation orders them, in the
// sense of Lamport's happens-before.
//
// The method is FastTrack (C. Flanagan, S. Freund, FastTrack: Efficient and Precise Dynamic Race
// Detection, PLDI 2009): vector clocks, of which one time is enough for accesses that are ordered.
// The rules follow the CUDA C++ Programming Guide and the PTX ISA, Memory Consistency Model.
//
// What orders:
//  - the program, the accesses of one lane;
//  - a launch: all accesses and host writes before it come before it, all of its own before the
//  next
//    launch (kernels that overlap their predecessor, which CUDA allows, are not known as such);
//  - `barrier`: what the lanes that arrived did before it, and what they do behind it. A lane that
//    has exited did not arrive: its accesses stay unordered;
//  - `sync`: the same for the lanes of its mask (__syncwarp);
//  - a release and an acquire: a lane that reads, atomically, what a release wrote, or what
//    read-modify-writes made of it, knows what the releasing lane knew. `store_release` is a
//    release; so is a relaxed store or read-modify-write behind a `fence` of the same lane, for
//    what came before the fence. `load_acquire` is an acquire; so is a `fence` behind a relaxed
//    load or read-modify-write, for what comes behind the fence. Another store ends what a release
//    began.
//
// What orders nothing:
//  - ballots, matches, shuffles and `active`: lanes meet, but CUDA promises no order of memory;
//  - the lanes' steps: lanes of a warp are threads of their own (independent thread scheduling);
//  - relaxed loads, stores and read-modify-writes without fences, a barrier in place of the fence
//    included;
//  - a fence alone, back-off, the end of a block, and that a block began after another had ended.
//
// Atomic accesses do not race with each other, whatever their widths. A recording holds neither the
// scope of a fence or atomic nor a read-modify-write's order: all count as wide enough, and all
// read-modify-writes as relaxed. Race freedom of one recording is that of one order of its
// releases and acquires; other seeds have others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview {

// Races of an array at one pair of places. Described by the pair that was found first.
struct Race {
  std::uint32_t array = 0;
  std::uint32_t element = 0;  // the first of the array's elements that both accesses touch
  // Events of the recording, in its order: two accesses, of different lanes.
  std::size_t first = 0, second = 0;
  std::size_t count = 1;  // accesses found to race with an earlier one like this
  bool operator==(const Race&) const = default;
};

// Returns the races in the order of their second accesses; empty: the run was free of them. Of the
// accesses before it that race with an access, at most one of each kind (plain or atomic, read or
// write) is reported. The recording is one that was taken or read. Time and memory grow with its
// events, and with the lanes that know each other by releases and acquires.
std::vector<Race> find_races(const Recording& recording);

// "shared[3]: block 0, thread 1 writes at a.cu:12 and thread 2 reads at a.cu:13, unordered": with
// the block of the second lane where it is another, and without places that have no lines.
std::string in_words(const Recording& recording, const Race& race);

}  // namespace warpview
