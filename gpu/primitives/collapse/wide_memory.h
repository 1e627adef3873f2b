// Device memory for a wide tree.
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/catalogue.h"
#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/buffer.h"

namespace warpview {

// The variant of collapse whose trees a variant of trace walks; none: it walks the binary tree.
inline std::optional<VariantId> collapse_for(VariantId trace) {
  if ((trace->traits & TraceTrait::wide) == 0) return {};
  return find_variant(Primitive::collapse, trace->name);
}

class WideMemory {
 public:
  // No memory: there is no tree.
  WideMemory() = default;
  // For what a variant of collapse makes of so many triangles.
  WideMemory(Device& device, VariantId collapse, std::uint32_t triangles)
      : four_(device, has(collapse, CollapseTrait::four) ? WideTree::node_capacity(triangles) : 0),
        eight_(device,
               has(collapse, CollapseTrait::eight) ? WideTree::node_capacity(triangles) : 0),
        triangles_(device, triangles) {}

  // At most, whatever the variant.
  static std::uint64_t bytes(std::uint64_t triangles) {
    return WideTree::node_capacity(triangles) * sizeof(WideNode4) +
           triangles * sizeof(LeafTriangle);
  }

  WideTree tree() const {
    return {.four = four_.data(), .eight = eight_.data(), .triangles = triangles_.data()};
  }
  const Buffer<WideNode4>& four() const { return four_; }
  const Buffer<WideNode8>& eight() const { return eight_; }
  const Buffer<LeafTriangle>& triangles() const { return triangles_; }
  // Calls use(nodes) with the nodes of the layout that there is memory for. There is a tree.
  template <class Use>
  auto with_nodes(const Use& use) const {
    return four_.size() > 0 ? use(four_) : use(eight_);
  }

 private:
  static bool has(VariantId collapse, unsigned trait) { return (collapse->traits & trait) != 0; }

  Buffer<WideNode4> four_;
  Buffer<WideNode8> eight_;
  Buffer<LeafTriangle> triangles_;
};

}  // namespace warpview
