// A pool with one flag per buffer, which one lane searches flag by flag. hashed.cu and from_zero.cu
// differ in where the search begins.
#pragma once

#include "gpu/primitives/pool/use.h"

namespace warpview::WARPVIEW_BACKEND::pool {

// Waits until one of `count` buffers is free and takes it, for a whole warp; returns its index. A
// flag is 1 while its buffer is taken. The search starts at `begin` and wraps around.
__device__ inline std::uint32_t take_from(std::uint32_t begin, std::uint32_t* flags,
                                          std::uint32_t count) {
  std::uint32_t buffer = begin;
  if (warp::lane() == 0) {
    // Skipping a taken buffer costs one read. The exchange decides: of all warps that saw the flag
    // at 0, one gets the 0.
    for (Spin spin; load_relaxed(&flags[buffer]) != 0 || atomicExch(&flags[buffer], 1U) != 0;) {
      buffer = buffer + 1 < count ? buffer + 1 : 0;
      // One round found nothing free: lets the warps run that hold the buffers.
      if (buffer == begin) spin.back_off();
    }
  }
  return taken_by(0, buffer);
}

__device__ inline void give_back(std::uint32_t* flags, std::uint32_t buffer) {
  done_with();
  if (warp::lane() == 0) store_relaxed(&flags[buffer], 0U);
}

}  // namespace warpview::WARPVIEW_BACKEND::pool
