// Which places of a tree's node array are in use.
#pragma once

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

// `count` primitives have count - 1 inner nodes.
__device__ inline bool is_node(const Bvh& bvh, std::uint32_t node, std::uint32_t count) {
  const std::uint32_t first_leaf = bvh.first_leaf();
  return node < first_leaf ? node + 1 < count : node < first_leaf + count;
}

}  // namespace warpview::WARPVIEW_BACKEND
