// What a wide node says of its children, for the host.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/primitives/collapse/wide_tree.h"

namespace warpview {

// A child as a wide node has it.
struct WideChild {
  unsigned slot;
  std::uint32_t triangles;  // 0: an inner node
  std::uint32_t first;      // the node, or the first triangle
  Aabb box;                 // as a walk tests it
};
// In the order of their slots.
std::vector<WideChild> children_of(const WideNode4& node);
std::vector<WideChild> children_of(const WideNode8& node);

}  // namespace warpview
