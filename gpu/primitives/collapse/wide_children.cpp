#include "gpu/primitives/collapse/wide_children.h"

namespace warpview {

std::vector<WideChild> children_of(const WideNode4& node) {
  std::vector<WideChild> all;
  for (unsigned i = 0; i < WideNode4::width; ++i) {
    const std::uint32_t child = node.child[i];
    if (child == WideNode4::no_child) continue;
    const std::uint32_t triangles = WideNode4::triangles_of(child);
    all.push_back({i, triangles, triangles > 0 ? WideNode4::first_of(child) : child, node.box(i)});
  }
  return all;
}

std::vector<WideChild> children_of(const WideNode8& node) {
  std::vector<WideChild> all;
  std::uint32_t inner = 0;
  for (unsigned slot = 0; slot < WideNode8::width; ++slot) {
    const std::uint32_t kind = WideNode8::byte(node.kinds, slot);
    if (kind == 0) continue;
    if (kind == WideNode8::inner_mark)
      all.push_back({slot, 0, node.first_node + inner++, node.box(slot)});
    else
      all.push_back({slot, kind >> 5U, node.first_triangle + (kind & 31U), node.box(slot)});
  }
  return all;
}

}  // namespace warpview
