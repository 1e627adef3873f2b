// The passes of a recorded radix sort: the events that count, rank and move each key.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009 (count, scan, reorder); A. Adinets, D. Merrill, "Onesweep", arXiv:2206.01784, 2022.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views::radix {

// A number and the event that brings it.
struct Brought {
  static constexpr std::size_t never = ~std::size_t{0};
  std::size_t event = never;
  std::uint64_t value = 0;

  // Is it known after the events before `end`?
  bool before(std::size_t end) const { return event < end; }
  // Do the events from `begin` to `end` bring it?
  bool within(std::size_t begin, std::size_t end) const { return begin <= event && event < end; }
};

// The phases of a block; a pass has some of them, in this order.
enum class SortPhase : std::uint8_t {
  count_all,  // the digits of all passes, before the first
  count,      // a tile's keys by digit
  scan,       // counts become offsets, in kernels of their own
  rank,       // a tile's keys among equal digits
  look_back,  // offsets from what other tiles have published
  move,       // keys to their places
  finish,     // a block sorts a bucket of keys that share their high digits
  split       // which buckets are finished, and which get one more pass
};
inline constexpr unsigned sort_phases = static_cast<unsigned>(SortPhase::split) + 1;

struct PassKey {
  Brought value;  // as the first lane read it; without it the pass leaves the key alone
  Brought digit;  // counted in shared memory
  Brought to;     // its place in the pass' output
  std::uint32_t tile = 0;
};

struct SortPass {
  std::size_t begin = 0, end = 0;  // events
  bool finishes = false;           // it sorts buckets by all remaining digits
  std::uint32_t in = 0, out = 0;   // arrays
  std::vector<PassKey> keys;       // by their places in the input
  std::uint32_t tiles = 1;
  // [digit * tiles + tile]: where a tile's keys with the digit begin in the output. Empty where
  // the variant keeps them in no array.
  std::vector<Brought> offsets{};
  std::optional<unsigned> shift{};  // the digit's lowest bit, where one fits all digits
};

// A warp ranks one key of each lane.
struct Ranking {
  std::size_t begin = 0, end = 0;  // events; the first is the match
  std::uint32_t block = 0;
  std::uint32_t thread = 0;  // the warp's first
};

struct RadixSort {
  std::uint32_t digit_values = 0;  // 2 to the bits of a digit
  unsigned key_bits = 32;
  std::vector<SortPass> passes;
  std::vector<Ranking> rankings;  // by their begin
  // What the block of an event does, from that event on.
  struct Change {
    std::size_t event;
    std::uint32_t block;
    SortPhase phase;
  };
  std::vector<Change> changes;
  // Counts of all passes: [pass * digit_values + digit] of each event that adds one.
  std::vector<Brought> counted_all;

  // At the event, or before it; null before the first.
  const Change* change_at(std::size_t event) const;
  const Ranking* ranking_at(std::size_t event, std::uint32_t block) const;
  // The last pass that begins before the event; the first if none does.
  const SortPass& pass_at(std::size_t event) const;
};

// What is kept grows with the product of both; a recording of 10^6 events has less.
inline constexpr std::uint32_t most_sorted_keys = 1U << 14U;
inline constexpr std::size_t most_sort_passes = 64;

// The passes of a recorded run of sort; none if the recording's arrays are unknown.
std::optional<RadixSort> radix_sort_of(const Recording& recording);

}  // namespace warpview::step_views::radix
