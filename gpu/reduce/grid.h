// How the variants that need no order spread n items over a grid.
#pragma once

#include <algorithm>

#include "gpu/reduce/operators.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

inline constexpr unsigned threads = 256;
inline constexpr unsigned items_each = 8;  // fewest items worth a thread

// As many blocks as the device runs at a time, or fewer for few items; at least one.
inline std::uint32_t blocks_for(const Stream& stream, std::uint32_t n) {
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  return std::clamp(ceil_div(n, threads * items_each), 1U, resident);
}

// What this thread makes of its items, which lie a grid apart: neighbouring threads read
// neighbouring items.
//
// Memory answers after hundreds of cycles, and only what has been asked for is on its way. So a
// thread asks for several items before it combines the first.
template <class Op>
__device__ inline typename Op::Value combine_strided(const Op& op, std::uint32_t n) {
  using Value = typename Op::Value;
  constexpr unsigned ahead = sizeof(Value) < 32 ? 32 / sizeof(Value) : 1;
  Value mine = Op::identity();
  const std::uint32_t stride = gridDim.x * threads;
  for (std::uint32_t first = global_thread(); first < n; first += ahead * stride) {
    Value items[ahead];
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) {
      const std::uint32_t i = first + k * stride;
      items[k] = i < n ? op.load(i) : Op::identity();
    }
    UNROLL
    for (unsigned k = 0; k < ahead; ++k) mine = Op::combine(mine, items[k]);
  }
  return mine;
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
