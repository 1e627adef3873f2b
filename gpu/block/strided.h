// A strided walk over many items with several loads in flight.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Calls visit(i, items[i]) for i = first, first + stride, ... below n, in that order. Where `first`
// is the thread's number and `stride` the number of threads, neighbouring threads read neighbouring
// items. A few calls with i >= n may follow, whose item is `padding`. n is at most 2^31.
//
// Memory takes hundreds of cycles to answer. So a thread issues `ahead` loads before it visits the
// first item.
template <unsigned ahead, class Items, class T, class Visit>
__device__ inline void visit_strided(const Items& items, std::uint32_t n, std::uint32_t first,
                                     std::uint32_t stride, const T& padding, Visit visit) {
  for (; first < n; first += ahead * stride) {
    T item[ahead];
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) {
      const std::uint32_t i = first + k * stride;
      item[k] = i < n ? items[i] : padding;
    }
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) visit(first + k * stride, item[k]);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::block
