// For variants that do not move the particles.
#pragma once

#include "gpu/primitives/spatial_hash/cells.h"

namespace warpview::WARPVIEW_BACKEND::spatial {

// A particle's place is its index. Returns its position.
__device__ inline Vec4 keep_in_place(const SpatialHashArgs& args, std::uint32_t i) {
  const Vec4 position = args.positions[i];
  args.order[i] = i;
  args.sorted_positions[i] = position;
  if (args.payload) args.sorted_payload[i] = args.payload[i];
  return position;
}

}  // namespace warpview::WARPVIEW_BACKEND::spatial
