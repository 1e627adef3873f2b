#include "app/step_views/walk_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/step_views/arrays.h"
#include "gpu/primitives/collapse/wide_children.h"
#include "gpu/primitives/trace/trace.h"

namespace warpview::step_views {
namespace {

// A triangle that is read by index.
LeafTriangle indexed_triangle(const Recording& recording, const WalkArrays& arrays,
                              std::uint32_t number) {
  LeafTriangle triangle{};
  triangle.triangle = number;
  if (!arrays.indices || !arrays.vertices) return triangle;
  Vec3* const corners[] = {&triangle.a, &triangle.b, &triangle.c};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto vertex =
        number_at<std::uint32_t>(recording.arrays[*arrays.indices].before,
                                 (std::size_t{number} * 3 + k) * sizeof(std::uint32_t));
    *corners[k] = number_at<Vertex>(recording.arrays[*arrays.vertices].before,
                                    std::size_t{vertex} * sizeof(Vertex))
                      .position;
  }
  return triangle;
}

template <class T>
T element(const Recording& recording, std::uint32_t array, std::uint32_t index) {
  return number_at<T>(recording.arrays[array].before, std::size_t{index} * sizeof(T));
}

}  // namespace

std::optional<WalkArrays> walk_arrays(const Recording& recording) {
  if (recording.primitive != "trace") return std::nullopt;
  const auto rays = find_array(recording, "rays", sizeof(BoundedRay));
  if (!rays) return std::nullopt;
  WalkArrays all{.rays = *rays,
                 .nodes = find_array(recording, "nodes", sizeof(BvhNode)),
                 .root = find_array(recording, "root", sizeof(std::uint32_t)),
                 .leaves = find_array(recording, "leaves", sizeof(LeafTriangle)),
                 .indices = find_array(recording, "indices", sizeof(std::uint32_t)),
                 .vertices = find_array(recording, "vertices", sizeof(Vertex)),
                 .hits = find_array(recording, "hits", sizeof(RayHit)),
                 .any = find_array(recording, "any", sizeof(std::uint32_t)),
                 .four = find_array(recording, "nodes4", sizeof(WideNode4)),
                 .eight = find_array(recording, "nodes8", sizeof(WideNode8)),
                 .triangles = find_array(recording, "triangles", sizeof(LeafTriangle))};
  if (all.is_wide()) return all.triangles ? std::optional(all) : std::nullopt;
  if (!all.nodes || !all.root) return std::nullopt;
  const std::size_t count = recording.arrays[*all.nodes].before.size() / sizeof(BvhNode);
  if (count % 2 == 0) return std::nullopt;
  all.node_count = static_cast<std::uint32_t>(count);
  return all;
}

WalkTree::WalkTree(const Recording& recording, const WalkArrays& arrays)
    : is_wide_(arrays.is_wide()) {
  if (is_wide_)
    read_wide(recording, arrays);
  else
    read_binary(recording, arrays);
}

std::optional<std::uint32_t> WalkTree::found(const ByNumber& all, std::uint32_t number) {
  const auto at = all.find(number);
  return at == all.end() ? std::nullopt : std::optional(at->second);
}

void WalkTree::resize(std::size_t count) {
  nodes.resize(count);
  children_.resize(count);
  boxes_.resize(count);
  words_.resize(count);
}

std::vector<std::uint32_t> WalkTree::tested_by_read(std::uint32_t node) const {
  if (is_wide_) return children_[node];
  return {node};
}

std::string WalkTree::words(std::uint32_t node) const {
  const std::uint32_t element = words_[node].element;
  if (!is_wide_ && has_leaf(node))
    return fmt::format("leaf {}", element - static_cast<std::uint32_t>(nodes.size() / 2));
  if (has_leaf(node)) return fmt::format("triangle {}", element);
  if (is_wide_leaf(node)) return fmt::format("a leaf of node {}", element);
  return fmt::format("node {}", element);
}

// ---- Binary trees -------------------------------------------------------------------------------

void WalkTree::read_binary(const Recording& recording, const WalkArrays& arrays) {
  link(recording.arrays[*arrays.nodes].before, arrays.first_leaf(),
       element<std::uint32_t>(recording, *arrays.root, 0));
  resize(nodes.size());
  triangles_.resize(leaf_at.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const auto node = element<BvhNode>(recording, *arrays.nodes, i);
    boxes_[i] = node.box();
    words_[i] = {*arrays.nodes, i, 0};
    of_element_.emplace(i, i);
    for (const std::uint32_t child : {nodes[i].left, nodes[i].right})
      if (child < nodes.size()) children_[i].push_back(child);
    if (!has_leaf(i)) continue;
    of_number_.emplace(node.left, i);
    triangles_[nodes[i].first] =
        arrays.leaves ? element<LeafTriangle>(recording, *arrays.leaves, i - arrays.first_leaf())
                      : indexed_triangle(recording, arrays, node.left);
  }
}

// ---- Wide trees ---------------------------------------------------------------------------------

// Reads boxes first, from the root down, and then the triangles below them, which get the places.
class WalkTree::WideReader {
 public:
  WideReader(WalkTree& tree, const Recording& recording, const WalkArrays& arrays)
      : tree_(tree), recording_(recording), arrays_(arrays) {}

  void read() {
    add_box(no_tree_node, 0, {.slot = 0, .triangles = 0, .first = 0, .box = Aabb::empty()});
    tree_.of_element_.emplace(0, 0);
    for (std::uint32_t box = 0; box < tree_.nodes.size(); ++box)
      if (as_child_[box].triangles == 0) read_node(box);
    for (std::uint32_t box = 0; box < tree_.nodes.size(); ++box) tree_.inner.push_back(box);
    place_triangles();
    set_extents();
  }

 private:
  // A box whose word is an element of the kernel's nodes: the node below it, or its parent's.
  std::uint32_t add_box(std::uint32_t parent, std::uint32_t element, const WideChild& child) {
    const auto number = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.resize(number + std::size_t{1});
    tree_.nodes[number].parent = parent;
    if (parent != no_tree_node) {
      tree_.nodes[number].depth = tree_.nodes[parent].depth + 1;
      tree_.children_[parent].push_back(number);
    }
    tree_.levels = std::max(tree_.levels, tree_.nodes[number].depth + 1);
    tree_.boxes_[number] = child.box;
    tree_.words_[number] = {arrays_.walked(), element, 0};
    if (arrays_.eight) tree_.slots_.push_back(child.slot);
    as_child_.push_back(child);
    return number;
  }

  // A file may have any nodes: each counts once.
  void read_node(std::uint32_t box) {
    const std::uint32_t element = as_child_[box].first;
    for (const WideChild& child : children(element)) {
      if (child.triangles > 0) {
        add_box(box, element, child);
      } else if (child.first < element_count() && seen_.insert(child.first).second) {
        tree_.of_element_.emplace(child.first, add_box(box, child.first, child));
      }
    }
  }
  std::vector<WideChild> children(std::uint32_t node) const {
    if (arrays_.four)
      return children_of(step_views::element<WideNode4>(recording_, *arrays_.four, node));
    return children_of(step_views::element<WideNode8>(recording_, *arrays_.eight, node));
  }
  std::uint32_t element_count() const { return elements_of(recording_.arrays[arrays_.walked()]); }

  // From left to right, as a walk down the first children meets them.
  void place_triangles() {
    std::vector<std::uint32_t> pending = {0};
    while (!pending.empty()) {
      const std::uint32_t box = pending.back();
      pending.pop_back();
      for (std::uint32_t k = 0; k < as_child_[box].triangles; ++k) add_triangle(box, k);
      if (as_child_[box].triangles > 0) continue;
      const std::vector<std::uint32_t>& children = tree_.children_[box];
      pending.insert(pending.end(), children.rbegin(), children.rend());
    }
  }
  void add_triangle(std::uint32_t box, std::uint32_t k) {
    const std::uint32_t element = as_child_[box].first + k;
    if (element >= elements_of(recording_.arrays[*arrays_.triangles]) ||
        tree_.of_triangle_.contains(element))
      return;
    const auto corners = step_views::element<LeafTriangle>(recording_, *arrays_.triangles, element);
    const auto number = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.resize(number + std::size_t{1});
    FinishedTree::Node& node = tree_.nodes[number];
    node.parent = box;
    node.depth = tree_.nodes[box].depth + 1;
    node.first = node.last = tree_.leaves();
    tree_.leaf_at.push_back(number);
    tree_.children_[box].push_back(number);
    tree_.boxes_[number] = corners.box();
    tree_.words_[number] = {*arrays_.triangles, element, 0};
    tree_.triangles_.push_back(corners);
    tree_.of_triangle_.emplace(element, number);
    tree_.of_number_.emplace(corners.triangle, number);
  }

  // Children come after their parents.
  void set_extents() {
    for (std::size_t k = tree_.inner.size(); k-- > 0;) {
      FinishedTree::Node& node = tree_.nodes[tree_.inner[k]];
      const std::vector<std::uint32_t>& children = tree_.children_[tree_.inner[k]];
      if (children.empty()) continue;
      node.first = tree_.nodes[children.front()].first;
      node.last = tree_.nodes[children.back()].last;
      node.middle = 0.5F * static_cast<float>(node.first + node.last + 1);
    }
  }

  WalkTree& tree_;
  const Recording& recording_;
  const WalkArrays& arrays_;
  std::vector<WideChild> as_child_;  // by box
  std::set<std::uint32_t> seen_ = {0};
};

void WalkTree::read_wide(const Recording& recording, const WalkArrays& arrays) {
  WideReader(*this, recording, arrays).read();
}

}  // namespace warpview::step_views
