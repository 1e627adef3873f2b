// A pool with a flag a buffer, searched from one on by one lane. hashed.cu and from_zero.cu differ
// in where the search begins.
#pragma once

#include "gpu/pool/use.h"

namespace warpview::WARPVIEW_BACKEND::pool {

// `Begin::at(warp_number, count)` is where a warp's search begins, below `count`.
template <class Begin>
struct LinearSearch {
  static constexpr const char* kernel_name = Begin::kernel_name;

  std::uint32_t* flags;  // 1: taken
  std::uint32_t count;

  __device__ std::uint32_t take(std::uint32_t warp_number) const {
    const std::uint32_t begin = Begin::at(warp_number, count);
    std::uint32_t buffer = begin;
    if (warp::lane() == 0) {
      // Passing by what is taken costs a read. The exchange decides: of all warps that saw the flag
      // at 0 one gets the 0.
      while (load_relaxed(&flags[buffer]) != 0 || atomicExch(&flags[buffer], 1U) != 0) {
        buffer = buffer + 1 < count ? buffer + 1 : 0;
        // Once round and nothing free: let those go on that have what this warp waits for.
        if (buffer == begin) backoff();
      }
    }
    return taken_by(0, buffer);
  }

  __device__ void give_back(std::uint32_t buffer) const {
    done_with();
    if (warp::lane() == 0) store_relaxed(&flags[buffer], 0U);
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::pool
