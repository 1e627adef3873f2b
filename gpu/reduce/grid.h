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
template <class Op>
__device__ inline typename Op::Value combine_strided(const Op& op, std::uint32_t n) {
  typename Op::Value mine = Op::identity();
  const std::uint32_t stride = gridDim.x * threads;
  for (std::uint32_t i = global_thread(); i < n; i += stride) mine = Op::combine(mine, op.load(i));
  return mine;
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
