#include "gpu/primitives/build/tree_experiment.h"

#include <cmath>

namespace warpview::lab {

TreeExperiment::TreeExperiment(const Setup& setup)
    : Experiment(setup),
      host_boxes_(lab::boxes(setup)),
      nodes_(device_, n_ > 0 ? 2 * std::size_t{n_} - 1 : 0),
      parent_(device_, nodes_.size()),
      root_(device_, 1) {
  const std::vector<std::uint32_t> codes =
      reference::morton_bits30(host_boxes_, n_, reference::bounds(host_boxes_).centres);
  auto sorted = reference::sort<std::uint32_t>(codes, {}, 0, 32);
  host_codes_.assign(sorted.keys.begin(), sorted.keys.end());
  host_primitives_ = std::move(sorted.values);
  codes_ = uploaded(setup, sorted.keys);
  primitives_ = uploaded(setup, host_primitives_);
  boxes_ = uploaded(setup, host_boxes_);
  count_ = uploaded<std::uint32_t>(setup, {n_});
}

void TreeExperiment::build(VariantId variant) {
  scratch_.run(device_.table().get<Primitive::build>(variant), stream_,
               BuildArgs{.key_bits = 32,
                         .codes = codes_.data(),
                         .primitives = primitives_.data(),
                         .count = count_.data(),
                         .boxes = boxes_.data(),
                         .bvh = bvh()});
}

void TreeExperiment::refit(VariantId variant) {
  scratch_.run(device_.table().get<Primitive::refit>(variant), stream_,
               RefitArgs{.count = count_.data(),
                         .boxes = boxes_.data(),
                         .bvh = bvh(),
                         .code_bits = 30,
                         .totals = totals_.data()});
}

reference::Tree TreeExperiment::tree() const {
  return {nodes_.download(stream_), parent_.download(stream_), root_.download(stream_).front(), n_,
          n_};
}

std::string TreeExperiment::check_tree(VariantId builder, bool fitted) {
  const reference::Tree tree = this->tree();
  std::string topology = (builder->traits & BuildTrait::radix) != 0
                             ? reference::check_topology(tree, host_codes_, host_primitives_)
                             : reference::check_same_links(
                                   tree, reference::built_tree(builder->traits, host_codes_,
                                                               host_primitives_, host_boxes_, n_));
  if (!topology.empty()) return topology;
  if (fitted) return reference::check_boxes(tree, host_boxes_);
  constexpr Aabb no_box = Aabb::empty();
  const auto is_same = [](const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  };
  return reference::first_complaint(tree.nodes.size(), [&](std::size_t i) -> std::string {
    const BvhNode& node = tree.nodes[i];
    if (is_same(node.min, no_box.min) && is_same(node.max, no_box.max)) return {};
    return "the box of node " + std::to_string(i) + " is not empty";
  });
}

// A leaf's area is a sum of three products, which compilers may round separately or fused; every
// other total is the sum of two known values.
std::string TreeExperiment::check_totals() {
  const std::vector<NodeTotals> got = totals_.download(stream_);
  std::string wrong = reference::first_complaint(got.size(), [&](std::size_t i) -> std::string {
    const BvhNode& node = kept_nodes_[i];
    const NodeTotals& mine = got[i];
    if (node.is_leaf()) {
      const float area = host_boxes_[node.left].half_area();
      if (mine.primitives == 1 && std::abs(mine.half_area - area) <= 0x1p-21F * area) return {};
      return "leaf " + std::to_string(i) + " has " + std::to_string(mine.primitives) +
             " primitives and half an area of " + std::to_string(mine.half_area);
    }
    const NodeTotals& left = got[node.left];
    const NodeTotals& right = got[node.right];
    if (mine.primitives == left.primitives + right.primitives &&
        mine.half_area == left.half_area + right.half_area)
      return {};
    return "the totals of node " + std::to_string(i) + " are not the sums of its children's";
  });
  if (!wrong.empty()) return wrong;
  return first_difference(nodes_.download(stream_), kept_nodes_, "nodes");
}

void TreeExperiment::keep_links() {
  kept_nodes_ = nodes_.download(stream_);
  for (BvhNode& node : kept_nodes_) {
    std::memset(&node.min, spoiled_byte, sizeof node.min);
    std::memset(&node.max, spoiled_byte, sizeof node.max);
  }
}

}  // namespace warpview::lab
