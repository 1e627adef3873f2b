// Wide trees, sequentially: each wide node beside the binary node that it stands for.
#include "gpu/reference/wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "gpu/primitives/collapse/wide_children.h"

namespace warpview::reference {
namespace {

// NOLINTBEGIN(bugprone-suspicious-memory-comparison): the same bits are what is meant
bool same_bits(const Aabb& a, const Aabb& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(const LeafTriangle& a, const LeafTriangle& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
// NOLINTEND(bugprone-suspicious-memory-comparison)

// The binary nodes that become the children of a wide node: the largest inner one makes way for its
// two children, until there are as many as fit.
std::vector<std::uint32_t> opened(const Tree& tree, std::uint32_t node, std::size_t width) {
  std::vector<std::uint32_t> nodes = {node};
  while (nodes.size() < width) {
    float largest = -1.0F;
    std::size_t at = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const BvhNode& here = tree.nodes[nodes[i]];
      if (here.is_leaf() || !(here.box().finite_half_area() > largest)) continue;
      largest = here.box().finite_half_area();
      at = i;
    }
    if (at == nodes.size()) break;
    const BvhNode here = tree.nodes[nodes[at]];
    nodes[at] = here.left;
    nodes.push_back(here.right);
  }
  return nodes;
}

// The places of the leaves below a node; only as many as are asked for, and one more.
void add_leaves(const Tree& tree, std::uint32_t node, std::size_t most,
                std::vector<std::uint32_t>& leaves) {
  std::vector<std::uint32_t> pending = {node};
  while (!pending.empty() && leaves.size() <= most) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (tree.nodes[at].is_leaf()) {
      leaves.push_back(at - tree.first_leaf());
    } else {
      pending.push_back(tree.nodes[at].left);
      pending.push_back(tree.nodes[at].right);
    }
  }
}

std::string wrong_box(const char* what, const Aabb& got, const Aabb& want) {
  return fmt::format("{} is from ({}, {}, {}) to ({}, {}, {}) around ({}, {}, {}) to ({}, {}, {})",
                     what, got.min.x, got.min.y, got.min.z, got.max.x, got.max.y, got.max.z,
                     want.min.x, want.min.y, want.min.z, want.max.x, want.max.y, want.max.z);
}

// ---- Four children ------------------------------------------------------------------------------

class Layout4 {
 public:
  static constexpr std::size_t width = WideNode4::width;

  explicit Layout4(const WideNode4& node) : node_(node) {}

  // In the order in which they were opened, with exact boxes.
  std::string check(const std::vector<Aabb>& boxes, std::vector<unsigned>& slots) const {
    for (unsigned i = 0; i < boxes.size(); ++i) {
      const Aabb got = node_.box(i);
      if (!same_bits(got, boxes[i])) return wrong_box("a box", got, boxes[i]);
      slots.push_back(i);
    }
    for (unsigned i = 0; i < width; ++i) {
      if (node_.unused[i] != 0) return "an unused word is not 0";
      const Aabb none = Aabb::empty();
      const Aabb got = node_.box(i);
      if (i >= boxes.size() && !same_bits(got, none))
        return wrong_box("the box of no child", got, none);
    }
    return {};
  }

 private:
  const WideNode4& node_;
};

// ---- Eight children, compressed -----------------------------------------------------------------

class Layout8 {
 public:
  static constexpr std::size_t width = WideNode8::width;

  explicit Layout8(const WideNode8& node) : node_(node) {}

  std::string check(const std::vector<Aabb>& boxes, std::vector<unsigned>& slots) const {
    Aabb all = Aabb::empty();
    for (const Aabb& box : boxes) all = merge(all, box);
    slots = best_slots(boxes, all.centre());
    std::uint32_t inner = 0;
    for (unsigned slot = 0; slot < width; ++slot)
      if (WideNode8::byte(node_.kinds, slot) == WideNode8::inner_mark) inner |= 1U << slot;
    if (inner != node_.inner_slots()) return "the slots of inner nodes are others";
    if (std::string wrong = wrong_rest(inner); !wrong.empty()) return wrong;
    const Axis x = {node_.origin.x, node_.scale(0), node_.min_x, node_.max_x, all.min.x, all.max.x};
    const Axis y = {node_.origin.y, node_.scale(1), node_.min_y, node_.max_y, all.min.y, all.max.y};
    const Axis z = {node_.origin.z, node_.scale(2), node_.min_z, node_.max_z, all.min.z, all.max.z};
    for (const Axis& axis : {x, y, z})
      if (std::string wrong = axis.wrong_scale(); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const unsigned slot = slots[i];
      if (!x.fits(slot, boxes[i].min.x, boxes[i].max.x) ||
          !y.fits(slot, boxes[i].min.y, boxes[i].max.y) ||
          !z.fits(slot, boxes[i].min.z, boxes[i].max.z))
        return wrong_box("a decoded box", node_.box(slot), boxes[i]);
    }
    return {};
  }

 private:
  struct Axis {
    float origin, scale;
    std::uint64_t low, high;
    float least, most;  // of the children

    float min(unsigned slot) const {
      return WideNode8::side(origin, scale, WideNode8::number(low, slot));
    }
    float max(unsigned slot) const {
      return WideNode8::side(origin, scale, WideNode8::number(high, slot));
    }
    // Does the decoded box contain the exact one, and would not with a step less?
    bool fits(unsigned slot, float exact_min, float exact_max) const {
      if (!(min(slot) <= exact_min && max(slot) >= exact_max)) return false;
      if (scale == 0.0F) return true;
      const float q_low = WideNode8::number(low, slot);
      const float q_high = WideNode8::number(high, slot);
      return (q_low == 255.0F || WideNode8::side(origin, scale, q_low + 1.0F) > exact_min) &&
             (q_high == 0.0F || WideNode8::side(origin, scale, q_high - 1.0F) < exact_max);
    }
    std::string wrong_scale() const {
      constexpr float least_scale = 0x1p-126F;
      if (origin != least) return fmt::format("the origin is {} instead of {}", origin, least);
      if (most > least ? scale == 0.0F : scale != 0.0F) return "a flat axis has a scale, or none";
      if (scale <= least_scale) return {};
      if (WideNode8::side(origin, 0.5F * scale, 255.0F) < most) return {};
      return fmt::format("the scale {} is coarser than needed from {} to {}", scale, least, most);
    }
  };

  // What no child uses is 0.
  std::string wrong_rest(std::uint32_t inner) const {
    bool has_leaves = false;
    for (unsigned slot = 0; slot < width; ++slot) {
      const std::uint32_t kind = WideNode8::byte(node_.kinds, slot);
      has_leaves |= kind != 0 && kind != WideNode8::inner_mark;
      for (const std::uint64_t row :
           {node_.min_x, node_.min_y, node_.min_z, node_.max_x, node_.max_y, node_.max_z})
        if (kind == 0 && WideNode8::byte(row, slot) != 0) return "an empty slot has a box";
    }
    if (inner == 0 && node_.first_node != 0) return "it has a first node, and no inner child";
    if (!has_leaves && node_.first_triangle != 0) return "it has a first triangle, and no leaf";
    return {};
  }

  // The best pair of all slots and children that are left comes first.
  static std::vector<unsigned> best_slots(const std::vector<Aabb>& boxes, Vec3 centre) {
    constexpr unsigned none = width;
    std::vector<unsigned> slots(boxes.size(), none);
    std::vector<bool> taken(width, false);
    for (std::size_t turn = 0; turn < boxes.size(); ++turn) {
      std::optional<float> best;
      std::pair<std::size_t, unsigned> pair;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Vec3 off = boxes[i].centre() - centre;
        for (unsigned slot = 0; slots[i] == none && slot < width; ++slot) {
          if (taken[slot]) continue;
          const float fit = ((slot & 1U) != 0 ? off.x : -off.x) +
                            ((slot & 2U) != 0 ? off.y : -off.y) +
                            ((slot & 4U) != 0 ? off.z : -off.z);
          if (best && !(fit > *best)) continue;
          best = fit;
          pair = {i, slot};
        }
      }
      slots[pair.first] = pair.second;
      taken[pair.second] = true;
    }
    return slots;
  }

  const WideNode8& node_;
};

// ---- The tree -----------------------------------------------------------------------------------

template <class Layout, class Node>
class WideCheck {
 public:
  WideCheck(const Tree& tree, std::span<const LeafTriangle> leaves, std::span<const Node> nodes,
            std::span<const LeafTriangle> triangles)
      : tree_(tree),
        leaves_(leaves),
        nodes_(nodes),
        triangles_(triangles),
        seen_(nodes.size(), false),
        placed_(triangles.size(), false) {}

  std::string check() {
    if (tree_.count == 0) return {};
    pending_ = {{0, tree_.root}};
    while (!pending_.empty()) {
      const auto [wide, node] = pending_.back();
      pending_.pop_back();
      if (wide >= nodes_.size()) return fmt::format("there is no node {}", wide);
      if (seen_[wide]) return fmt::format("node {} has two parents", wide);
      seen_[wide] = true;
      if (std::string wrong = check_node(wide, node); !wrong.empty())
        return fmt::format("node {}, for node {} of the binary tree: {}", wide, node, wrong);
    }
    const auto left_out = std::find(placed_.begin(), placed_.end(), false);
    if (left_out == placed_.end()) return {};
    return fmt::format("triangle {} is in no leaf", left_out - placed_.begin());
  }

 private:
  std::string check_node(std::uint32_t wide, std::uint32_t node) {
    const Layout layout(nodes_[wide]);
    const std::vector<std::uint32_t> want = opened(tree_, node, Layout::width);
    const std::vector<WideChild> got = children_of(nodes_[wide]);
    if (got.size() != want.size())
      return fmt::format("{} children instead of {}", got.size(), want.size());
    std::vector<Aabb> boxes;
    boxes.reserve(want.size());
    for (const std::uint32_t child : want) boxes.push_back(tree_.nodes[child].box());
    std::vector<unsigned> slots;
    if (std::string wrong = layout.check(boxes, slots); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < want.size(); ++i) {
      const auto child = std::find_if(got.begin(), got.end(),
                                      [&](const WideChild& each) { return each.slot == slots[i]; });
      if (child == got.end()) return fmt::format("slot {} is empty", slots[i]);
      if (std::string wrong = check_child(*child, want[i]); !wrong.empty()) return wrong;
    }
    return {};
  }

  std::string check_child(const WideChild& child, std::uint32_t node) {
    std::vector<std::uint32_t> places;
    add_leaves(tree_, node, most_leaf_triangles, places);
    const bool is_leaf = places.size() <= most_leaf_triangles;
    if ((child.triangles > 0) != is_leaf)
      return fmt::format("slot {} is {} leaf", child.slot, is_leaf ? "no" : "a");
    if (!is_leaf) {
      pending_.emplace_back(child.first, node);
      return {};
    }
    if (child.triangles != places.size())
      return fmt::format("{} triangles instead of {}", child.triangles, places.size());
    std::vector<bool> found(places.size(), false);
    for (std::uint32_t i = 0; i < child.triangles; ++i) {
      const std::size_t at = std::size_t{child.first} + i;
      if (at >= triangles_.size()) return fmt::format("there is no triangle {}", at);
      if (placed_[at]) return fmt::format("triangle {} is in two leaves", at);
      placed_[at] = true;
      const auto place = std::find_if(places.begin(), places.end(), [&](std::uint32_t each) {
        return same_bits(leaves_[each], triangles_[at]);
      });
      if (place == places.end()) return fmt::format("triangle {} is another one's", at);
      found[static_cast<std::size_t>(place - places.begin())] = true;
    }
    if (std::find(found.begin(), found.end(), false) == found.end()) return {};
    return "a leaf has a triangle twice";
  }

  const Tree& tree_;
  std::span<const LeafTriangle> leaves_;
  std::span<const Node> nodes_;
  std::span<const LeafTriangle> triangles_;
  std::vector<bool> seen_, placed_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pending_;  // wide nodes and binary ones
};

}  // namespace

std::string check_wide(const Tree& tree, std::span<const LeafTriangle> leaves,
                       std::span<const WideNode4> nodes, std::span<const LeafTriangle> triangles) {
  return WideCheck<Layout4, WideNode4>(tree, leaves, nodes, triangles).check();
}

std::string check_wide(const Tree& tree, std::span<const LeafTriangle> leaves,
                       std::span<const WideNode8> nodes, std::span<const LeafTriangle> triangles) {
  return WideCheck<Layout8, WideNode8>(tree, leaves, nodes, triangles).check();
}

std::uint32_t wide_node_count(const Tree& tree, unsigned width) {
  if (tree.count == 0) return 0;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> pending = {tree.root};
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    ++count;
    for (const std::uint32_t child : opened(tree, node, width)) {
      std::vector<std::uint32_t> places;
      add_leaves(tree, child, most_leaf_triangles, places);
      if (places.size() > most_leaf_triangles) pending.push_back(child);
    }
  }
  return count;
}

}  // namespace warpview::reference
