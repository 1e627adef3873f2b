// Makes counts of what the lanes of a kernel do.
//
// Lanes run one after the other, so the instructions of a warp must be put together again. Each
// lane records its accesses, each with the place in the program that made it. When all lanes of a
// warp have met, at a barrier, in a collective or at the end, their records since the last meeting
// are laid side by side. Accesses of several lanes from one place, each lane's n-th there, were one
// instruction of the warp. Basic blocks are treated alike: where lanes of a warp left one block,
// each for the n-th time, to different ones, a branch diverged.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/runtime/counted_device.h"

namespace warpview::simt::counting {

enum class Kind : std::uint8_t { access, atomic };

// What the current lane does, reported by the instrumented code. Nothing is recorded where no lane
// runs, nor for memory that is neither shared nor global: stacks, parameters, constants.
void access(const void* site, const volatile void* address, std::size_t bytes,
            Kind kind = Kind::access);
void basic_block(const void* site);

void set_banks(unsigned banks);
std::vector<KernelCounters> take();

}  // namespace warpview::simt::counting
