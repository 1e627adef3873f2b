// Runs kernels on the CPU as a GPU would: every thread of a block is a lane with its own stack,
// lanes meet at barriers and warp collectives, blocks run side by side on OS threads.
//
// A lane runs until it reaches a switching point (barrier, collective, back-off) and then jumps to
// the next lane of its block. A kernel without switching points costs no jump at all: one stack
// runs lane after lane. A block stays on its OS thread to the end, so shared memory is `static
// thread_local`.
//
// Misuse that hangs or corrupts on a GPU is reported as Error with kernel, block, lane, file and
// line: lanes of a block at different barriers, a mask that names an exited lane or one that cannot
// arrive, lanes that disagree about a collective, a spin that nothing can end, and a spin without
// back-off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>

#include "gpu/runtime/error.h"

// CUDA's own type, under its own name.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace warpview::simt {

// The line of a kernel that calls one of the functions below; as a default argument it is the
// caller's.
struct Where {
  const char* file = __builtin_FILE();
  int line = __builtin_LINE();
};

using LaneMask = std::uint64_t;

// How kernels are run. Any seed but 0 shuffles the order in which lanes, warps and blocks run;
// results must not depend on it.
struct Options {
  unsigned warp_size = 32;  // 32 or 64
  std::uint64_t seed = 0;   // 0: lanes and blocks in order, fastest
  unsigned workers = 0;     // OS threads that run blocks, 64 at most; 0: one per core, or 64 where
                            // publications are late

  // The lanes of a warp share an instruction pointer, as on AMD's GPUs and on NVIDIA's before
  // compute capability 7.0, as far as waiting loops declare themselves (Spin in
  // gpu/runtime/kernel.h). The lanes of a warp begin such a loop together, lanes that took another
  // branch stand still while it runs, and a lane that has left the loop waits for those that spin.
  // So a spin that starves the lane it waits for hangs as it would there, and is reported.
  bool lockstep = false;

  // Blocks publish as late as possible: a lane that changes a word of global memory, by an atomic
  // or a store of gpu/runtime/kernel.h, may have to wait before or after it until nothing else can
  // go on in any block. The seed decides which lanes have to, and which of them goes on first.
  bool late_publications = false;
};

// OS threads that run the blocks of a launch, the launching one among them. Large blocks may get
// fewer: the blocks that run at a time have 16384 threads at most, since each may need a stack, and
// fewer where the address space is limited (ulimit -v).
struct Workers {
  unsigned asked_for;  // what the options ask for
  unsigned running;    // fewer where the system refused some; at least 1
};
// Starts missing workers. With late publications, which take many threads, the launches that need
// them start them. Once the system has refused a thread the program does not request one again.
Workers start_workers(const Options& options);

// The most blocks of a concurrent launch, each of which has an OS thread: on any machine, and with
// the threads that the system grants here, which are started, and the memory that it grants for
// their stacks. The latter answers occupancy queries.
inline constexpr unsigned max_concurrent_blocks = 16;
unsigned concurrent_blocks(unsigned threads);

struct Launch {
  const char* kernel;  // its name, for reports
  dim3 grid;
  dim3 block;               // at most 1024 threads
  bool concurrent = false;  // every block resident from the start (persistent kernels)
  // The host's part, where a kernel of one block and the host wait for each other. It is called
  // whenever no lane can go on, does what it can without waiting, and returns whether it did
  // anything. So all runs are alike, and a spin that the host will not end is reported. It is
  // called on the block's OS thread, and belongs to no lane.
  std::function<bool()> host = {};
};

// Runs body(context) for every thread of every block. Throws Error on misuse, if a concurrent block
// gets no OS thread, and if there is no memory for stacks; memory that the kernel wrote then holds
// what it held. Launches from several host threads take turns.
void run(const Options& options, const Launch& launch, void (*body)(const void*),
         const void* context);

// A lane's own coordinates.
struct Lane {
  dim3 thread;      // threadIdx
  unsigned number;  // in its block, x fastest
  unsigned lane;    // in its warp
  unsigned warp_size;
  const struct BlockPlace* place;
  // Reads of words of other lanes since the lane last changed one or yielded.
  unsigned looks;
};
struct BlockPlace {
  dim3 index;  // blockIdx
  dim3 block;  // blockDim
  dim3 grid;   // gridDim
};

extern thread_local constinit Lane* current_lane;
inline Lane& self() { return *current_lane; }

enum class Collective : std::uint8_t { sync, ballot, match, shuffle };

// What a lane calls, in one word: the collective, the size in bytes of each value that it shuffles,
// the source lane, and the line.
class CollectiveCall {
 public:
  CollectiveCall() = default;
  constexpr CollectiveCall(Collective what, int line, unsigned bytes = 0, unsigned source = 0)
      : word_(static_cast<std::uint64_t>(static_cast<unsigned>(line)) << 32U |
              (source < most_lanes ? source : most_lanes) << 16U | bytes << 8U |
              static_cast<unsigned>(what)) {}

  Collective what() const { return static_cast<Collective>(word_ & 0xffU); }
  unsigned bytes() const { return word_ >> 8U & 0xffU; }
  unsigned source() const { return word_ >> 16U & most_lanes; }
  int line() const { return static_cast<int>(word_ >> 32U); }
  // Is it the same, the source lane aside?
  bool is_like(CollectiveCall other) const {
    return ((word_ ^ other.word_) & ~(std::uint64_t{most_lanes} << 16U)) == 0;
  }

 private:
  static constexpr unsigned most_lanes = 0xffff;  // more than any warp has
  std::uint64_t word_ = 0;
};
static_assert(sizeof(CollectiveCall) == 8);

// The switching points as the executor defines them. Where the executor uses its own assembly these
// are no C++ functions: the first argument is left to them. They return the result of
// barrier_count() and of the warp's collectives.
extern "C" std::uint64_t warpview_barrier(void* unused, std::uint64_t predicate, const char* file,
                                          int line);
extern "C" std::uint64_t warpview_collect(void* unused, LaneMask mask, std::uint64_t value,
                                          CollectiveCall call, const char* file, void* out);

// The switching points, called from inside a kernel only.
inline unsigned barrier_count(bool predicate, Where where) {  // barrier; how many passed true
  return static_cast<unsigned>(
      warpview_barrier(nullptr, predicate ? 1 : 0, where.file, where.line));
}
inline void barrier(Where where) { barrier_count(false, where); }
inline void warp_sync(LaneMask mask, Where where) {
  warpview_collect(nullptr, mask, 0, {Collective::sync, where.line}, where.file, nullptr);
}
inline LaneMask warp_ballot(LaneMask mask, bool predicate, Where where) {
  return warpview_collect(nullptr, mask, predicate ? 1 : 0, {Collective::ballot, where.line},
                          where.file, nullptr);
}
inline LaneMask warp_match(LaneMask mask, std::uint32_t value, Where where) {
  return warpview_collect(nullptr, mask, value, {Collective::match, where.line}, where.file,
                          nullptr);
}
// The value of lane `source`, which has this one's type.
template <class T>
T warp_shuffle(LaneMask mask, const T& value, unsigned source, Where where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 0xff);
  const CollectiveCall call(Collective::shuffle, where.line, sizeof(T), source);
  T result;
  if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    word = warpview_collect(nullptr, mask, word, call, where.file, nullptr);
    std::memcpy(&result, &word, sizeof(T));
  } else {
    warpview_collect(nullptr, mask, reinterpret_cast<std::uintptr_t>(&value), call, where.file,
                     &result);
  }
  return result;
}
// The lanes of this warp that go on together from this call: this one, and of those at the same
// line some that the seed chooses; with seed 0 all that can reach it before the block must go on.
// Each of them gets the same answer. Orders no memory.
LaneMask warp_active(Where where);
void back_off(Where where);
// Enclose a loop whose lanes back off. The lanes that begin it together must end it together.
// Without lockstep lanes enter and leave freely.
LaneMask begin_spin(Where where);
void end_spin(LaneMask together, Where where);

// True if publications are late in the launch that this OS thread takes part in. A lane then calls
// come_late where it changes a word that other blocks may read.
extern thread_local constinit bool publications_are_late;
void come_late(const void* word);

// Reports to the executor that shared state changed: a spin elsewhere may now end. Called by every
// atomic and release store of language.h that altered its word.
void note_change();

// The counterpart: an atomic that altered nothing, or a load of what others may write. A lane that
// does only this, this often, spins without backing off, and the lane it waits for may be one of
// its own block that never runs.
inline constexpr unsigned most_looks = 1U << 26U;
[[noreturn]] void report_spin(Where where);
inline void note_look(Where where) {
  if (current_lane && ++current_lane->looks == most_looks) report_spin(where);
}

}  // namespace warpview::simt
