// What the instrumented code of a module's kernels reports (calls.cpp). Each module, counted or
// recorded, defines these two functions.
#pragma once

#include <cstddef>

#include "gpu/recording/recording.h"

namespace warpview::simt::instrumented {

// The running code is about to access `bytes` bytes at `address`, from the place `site` of the
// program. It need not be a lane's code, nor memory that kernels share. `kind` is one of
// EventKind::read to EventKind::modify.
void on_access(const void* site, const volatile void* address, std::size_t bytes, EventKind kind);
void on_fence(const void* site);

}  // namespace warpview::simt::instrumented
