// How the variants that need no order distribute n items over a grid.
#pragma once

#include <algorithm>

#include "gpu/block/strided.h"
#include "gpu/primitives/reduce/operators.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

inline constexpr unsigned threads = tile_extent(256, 64);
inline constexpr unsigned items_each = tile_extent(8, 2);  // the fewest that are worth a thread

// As many blocks as are resident at a time, or fewer for few items; at least one.
inline std::uint32_t blocks_for(const Stream& stream, std::uint32_t n) {
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  return std::clamp(ceil_div(n, threads * items_each), 1U, resident);
}

// Combines this thread's items, a grid stride apart.
template <class Operator, class Items>
__device__ inline typename Operator::Type combine_strided(const Items& items, std::uint32_t n) {
  using T = typename Operator::Type;
  constexpr unsigned ahead = sizeof(T) < 32 ? 32 / sizeof(T) : 1;
  T mine = Operator::identity();
  block::visit_strided<ahead>(
      items, n, global_thread(), gridDim.x * threads, Operator::identity(),
      [&](std::uint32_t, const T& item) { mine = Operator::combine(mine, item); });
  return mine;
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
