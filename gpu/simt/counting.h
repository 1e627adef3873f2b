// What the CPU device reports of a launch to its counted build; an ordinary build reports nothing.
// gpu/simt/counted/ makes counts of it.
#pragma once

#include <cstddef>

#include "gpu/simt/executor.h"

namespace warpview::simt {

#if defined(WARPVIEW_COUNTED)

// A kernel applied its operator once: the measure by which scans are compared.
void note_operator();

// Counts the code of this object's lifetime as one read-modify-write of `bytes` bytes, whatever
// loads and exchanges it takes on a CPU.
class OneAtomic {
 public:
  OneAtomic(const void* address, std::size_t bytes);
  ~OneAtomic();
  OneAtomic(const OneAtomic&) = delete;
  OneAtomic& operator=(const OneAtomic&) = delete;
};

namespace counting {

inline constexpr bool on = true;
unsigned banks();  // of shared memory, for devices that are opened from now on

// Device memory: accesses to it are counted as accesses to global memory.
void allocated(const void* memory, std::size_t bytes);
void released(const void* memory);

void begin_launch(const Options& options, const Launch& launch, unsigned workers);
void end_launch();

// The OS threads of a concurrent launch take turns, so that its counts are the same in every run:
// thread `worker` runs from take_turn to give_up_turn, except while it pauses in pass_turn.
void take_turn(unsigned worker);
void pass_turn(unsigned worker);
void give_up_turn(unsigned worker);

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
