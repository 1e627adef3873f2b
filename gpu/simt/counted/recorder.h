// Makes counts of what the lanes of a kernel do.
//
// Lanes run one after the other, so the instructions of a warp must be put together again. Each
// lane writes down its accesses, each with the place of the program that made it. When all lanes of
// a warp have met, at a barrier, in a collective or at the end, what they wrote since they last did
// is laid side by side: accesses of several lanes from the same place, each for the same time
// there, were one instruction of the warp. The same with the basic blocks they went through: where
// lanes of a warp left the same block, each for the same time, for different ones, a branch
// diverged.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/runtime/counted_device.h"

namespace warpview::simt::counting {

enum class Kind : std::uint8_t { access, atomic };

// What the current lane does, told by the instrumented code. Nothing is written down where no lane
// runs, and of memory that is neither shared nor global: stacks, parameters, constants.
void access(const void* site, const volatile void* address, std::size_t bytes,
            Kind kind = Kind::access);
void basic_block(const void* site);

void set_banks(unsigned banks);
std::vector<KernelCounters> take();

}  // namespace warpview::simt::counting
