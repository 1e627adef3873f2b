// What the CPU device reports of a launch to its counted build (gpu/simt/counted/) and to its
// recorded build (gpu/simt/recorded/); an ordinary build reports nothing.
#pragma once

#include <cstddef>

#include "gpu/simt/executor.h"

namespace warpview::simt {

#if defined(WARPVIEW_COUNTED) || defined(WARPVIEW_RECORDED)

// A kernel applied its operator once: the measure by which scans are compared.
void note_operator();

// The code of this object's lifetime is one read-modify-write of `bytes` bytes, whatever
// loads and exchanges it takes on a CPU.
class OneAtomic {
 public:
  OneAtomic(const void* address, std::size_t bytes);
  ~OneAtomic();
  OneAtomic(const OneAtomic&) = delete;
  OneAtomic& operator=(const OneAtomic&) = delete;
};

namespace counting {

// Does it count? Only then blocks run in order, and none publishes late.
#if defined(WARPVIEW_COUNTED)
inline constexpr bool on = true;
#else
inline constexpr bool on = false;
#endif
unsigned banks();  // of shared memory, for devices that are opened from now on

// Device memory: accesses to it are counted as accesses to global memory.
void allocated(const void* memory, std::size_t bytes);
// The host, too, accesses memory that was just allocated, whenever no kernel runs.
void pinned(const void* memory);
void released(const void* memory);

void begin_launch(const Options& options, const Launch& launch, unsigned workers);
void end_launch();

// The workers of a launch take turns, so that all runs are alike: `worker` runs from take_turn to
// give_up_turn, except while it pauses in pass_turn. When it counts they are OS threads; the
// recorded build has them all on one, where give_up_turn does not return.
void take_turn(unsigned worker);
void pass_turn(unsigned worker);     // NOLINT(readability-inconsistent-declaration-parameter-name)
void give_up_turn(unsigned worker);  // NOLINT(readability-inconsistent-declaration-parameter-name)

// Called on the OS thread that runs the block.
void begin_block(unsigned number, unsigned lanes);
void end_block();
void arrives(const Lane& lane);  // at a barrier
void barrier();                  // all have arrived
void collective(const Lane& any_lane, LaneMask mask);
void spins(const Lane& lane);
void exits(const Lane& lane);

}  // namespace counting

#else

inline void note_operator() {}

struct OneAtomic {
  OneAtomic(const void*, std::size_t) {}
};

namespace counting {
inline constexpr bool on = false;
inline unsigned banks() { return 32; }
inline void allocated(const void*, std::size_t) {}
inline void pinned(const void*) {}
inline void released(const void*) {}
inline void begin_launch(const Options&, const Launch&, unsigned) {}
inline void end_launch() {}
inline void take_turn(unsigned) {}
inline void pass_turn(unsigned) {}
inline void give_up_turn(unsigned) {}
inline void begin_block(unsigned, unsigned) {}
inline void end_block() {}
inline void arrives(const Lane&) {}
inline void barrier() {}
inline void collective(const Lane&, LaneMask) {}
inline void spins(const Lane&) {}
inline void exits(const Lane&) {}
}  // namespace counting

#endif

}  // namespace warpview::simt
