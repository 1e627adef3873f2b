// Runs kernels on the CPU as a GPU would: every thread of a block is a lane with a stack of its
// own, lanes meet at barriers and warp collectives, blocks run side by side on OS threads.
//
// A lane runs until it meets a switching point (barrier, collective, back-off) and then hands over
// to the next lane of its block by one jump. A kernel without switching points costs no jump at
// all: one stack runs lane after lane. A block stays on its OS thread to the end, so shared memory
// is `static thread_local`.
//
// Misuse that hangs or corrupts on a GPU is reported as Error with kernel, block, lane, file and
// line: lanes of a block at different barriers, a mask that names an exited lane or one that cannot
// arrive, lanes that disagree about a collective, a spin that nothing can end, and one that does
// not back off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

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

// How kernels are run. Any seed but 0 shuffles the order in which lanes, warps and blocks get their
// turn; results must not depend on it.
struct Options {
  unsigned warp_size = 32;  // 32 or 64
  std::uint64_t seed = 0;   // 0: lanes and blocks in order, fastest
  unsigned workers = 0;     // OS threads that run blocks, 64 at most; 0: one per core, or 64 where
                            // publications are late

  // The lanes of a warp share an instruction pointer, as on AMD's GPUs and on NVIDIA's before
  // compute capability 7.0, as far as loops tell that wait (Spin in gpu/runtime/kernel.h): the
  // lanes of a warp begin such a loop together, those that went another way stand still while it
  // runs, and a lane that has left it waits for those that spin. So a spin that starves whom it
  // waits for hangs as it would there, and is reported.
  bool lockstep = false;

  // Blocks tell each other things as late as can be: a lane that changes a word of global memory,
  // by an atomic or a store of gpu/runtime/kernel.h, may have to wait before or after it until
  // nothing else can go on in any block. Which have to, and which of them goes on first, is drawn
  // from the seed.
  bool late_publications = false;
};

// OS threads that run the blocks of a launch, the launching one among them. Large blocks may find
// fewer: those that run at a time have 16384 threads at most, since each may need a stack.
struct Workers {
  unsigned asked_for;  // by the options
  unsigned running;    // fewer where the system refused some; at least 1
};
// Starts those that are missing. Once the system has refused a thread it is not asked for one again
// as long as the program runs.
Workers start_workers(const Options& options);

// The most blocks of a concurrent launch, each of which has an OS thread: on any machine, and with
// the threads that the system gives here, which are started. The latter answers occupancy queries.
inline constexpr unsigned max_concurrent_blocks = 16;
unsigned concurrent_blocks();

struct Launch {
  const char* kernel;  // its name, for reports
  dim3 grid;
  dim3 block;               // at most 1024 threads
  bool concurrent = false;  // every block resident from the start (persistent kernels)
  // What the host does meanwhile, where a kernel of one block and the host wait for each other: it
  // gets its turn whenever no lane can go on, does what it can without waiting, and says whether
  // that was anything. So all runs are alike, and a spin that the host will not end is reported. It
  // is called on the block's OS thread, and is nobody's lane.
  std::function<bool()> host = {};
};

// Runs body(context) for every thread of every block. Throws Error on misuse, for want of an OS
// thread for each concurrent block, and for want of memory for stacks; memory that the kernel wrote
// then holds what it held. Launches from several host threads take turns.
void run(const Options& options, const Launch& launch, void (*body)(const void*),
         const void* context);

// What a lane knows of itself.
struct Lane {
  dim3 thread;      // threadIdx
  unsigned number;  // in its block, x fastest
  unsigned lane;    // in its warp
  unsigned warp_size;
  const struct BlockPlace* place;
  // Looks at words of others since the lane last changed one or gave way to others.
  unsigned looks;
};
struct BlockPlace {
  dim3 index;  // blockIdx
  dim3 block;  // blockDim
  dim3 grid;   // gridDim
};

extern thread_local constinit Lane* current_lane;
inline Lane& self() { return *current_lane; }

// The switching points. To be called from inside a kernel only.
void barrier(Where where);
unsigned barrier_count(bool predicate, Where where);  // barrier, and how many lanes said true
void warp_sync(LaneMask mask, Where where);
LaneMask warp_ballot(LaneMask mask, bool predicate, Where where);
LaneMask warp_match(LaneMask mask, std::uint32_t value, Where where);
// The lanes of this warp that go on together from this call: this one, and of those at the same
// line some that the seed chooses; with seed 0 all that can get there before the block must go on.
// Each of them gets the same answer. Orders no memory.
LaneMask warp_active(Where where);
// Copies `bytes` from the `in` of lane `source` to this lane's `out`.
void warp_shuffle(LaneMask mask, const void* in, void* out, std::size_t bytes, unsigned source,
                  Where where);
void back_off(Where where);
// Around a loop whose lanes back off, and the lanes that begin it together, which must end it, too.
// Without lockstep lanes come and go as they like.
LaneMask begin_spin(Where where);
void end_spin(LaneMask together, Where where);

// Of the launch that this OS thread has a part in. Then a lane calls come_late where it changes a
// word that other blocks may look at.
extern thread_local constinit bool publications_are_late;
void come_late(const void* word);

// Tells the executor that shared state changed: a spin elsewhere may now end. Called by every
// atomic and release store of language.h that altered its word.
void note_change();

// The other half: an atomic that altered nothing, or a load of what others may write. A lane that
// does nothing else so often spins without backing off, and whom it waits for may be a lane of its
// own block that gets no turn.
inline constexpr unsigned most_looks = 1U << 26U;
[[noreturn]] void report_spin(Where where);
inline void note_look(Where where) {
  if (current_lane && ++current_lane->looks == most_looks) report_spin(where);
}

}  // namespace warpview::simt
