// PLOC, H-PLOC and the sweep, sequentially. The first joins clusters of all leaves in each round.
// The second goes through ranges of the codes' radix tree from the leaves up, each of which leaves
// at most 16 clusters. The third cuts from the root down where that costs least.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "gpu/reference/reference.h"

namespace warpview::reference {
namespace {

constexpr std::size_t most_left = 16;  // clusters of a range, except of the whole one
constexpr std::size_t hploc_radius = 8;
constexpr std::size_t ploc_radius = 16;

struct Cluster {
  std::uint32_t node;
  std::uint32_t leaf;  // that answers for it
  Aabb box;
};
using Clusters = std::vector<Cluster>;

// Half the area of the box around both.
float area_of(const Cluster& a, const Cluster& b) { return merge(a.box, b.box).finite_half_area(); }

// Which neighbour a cluster prefers: the one within the radius with the least area and, of equal
// ones, the first, or the one whose place differs in the lowest bits.
struct Preference {
  std::size_t radius;
  bool by_lowest_bits;

  std::size_t nearest(const Clusters& clusters, std::size_t i) const {
    const std::size_t begin = i < radius ? 0 : i - radius;
    const std::size_t end = std::min(clusters.size(), i + radius + 1);
    std::size_t best = i;
    std::pair<float, std::size_t> best_rank{};
    for (std::size_t j = begin; j < end; ++j) {
      if (j == i) continue;
      const std::pair rank(area_of(clusters[i], clusters[j]), by_lowest_bits ? i ^ j : j);
      if (best != i && !(rank < best_rank)) continue;
      best = j;
      best_rank = rank;
    }
    return best;
  }
};

class Clustering {
 public:
  Clustering(Tree& tree, std::span<const std::uint64_t> codes,
             std::span<const std::uint32_t> primitives, std::span<const Aabb> boxes)
      : tree_(tree), codes_(codes) {
    for (std::uint32_t i = 0; i < tree.count; ++i) {
      const Aabb box = boxes[primitives[i]].with_positive_zeros();
      tree.nodes[tree.first_leaf() + i] = {box.min, primitives[i], box.max, BvhNode::leaf_mark};
    }
  }

  // What is left of leaves [first, last], in order.
  Clusters join(std::uint32_t first, std::uint32_t last) {
    if (first == last) {
      const std::uint32_t node = tree_.first_leaf() + first;
      return {{node, first, tree_.nodes[node].box()}};
    }
    const std::uint32_t split = split_of(first, last);
    Clusters clusters = join(first, split);
    const Clusters right = join(split + 1, last);
    clusters.insert(clusters.end(), right.begin(), right.end());
    const std::uint32_t leaves = last - first + 1;
    const std::size_t most = leaves == tree_.count ? 1 : most_left;
    constexpr Preference preference{hploc_radius, false};
    if (leaves > most_left || most == 1)
      while (clusters.size() > most)
        clusters =
            join_pairs(clusters, [&](std::size_t i) { return preference.nearest(clusters, i); });
    return clusters;
  }

  // Joins all leaves in rounds. Where a round joins fewer than one cluster in 64, the next one
  // joins neighbours in pairs.
  Cluster join_all() {
    Clusters clusters;
    for (std::uint32_t i = 0; i < tree_.count; ++i) {
      const std::uint32_t node = tree_.first_leaf() + i;
      clusters.push_back({node, i, tree_.nodes[node].box()});
    }
    constexpr Preference preference{ploc_radius, true};
    for (bool in_pairs = false; clusters.size() > 1;) {
      const std::size_t before = clusters.size();
      clusters = join_pairs(clusters, [&](std::size_t i) {
        if (!in_pairs) return preference.nearest(clusters, i);
        return (i ^ 1U) < before ? i ^ 1U : i;
      });
      in_pairs = before - clusters.size() < before / 64;
    }
    return clusters.front();
  }

 private:
  // The last of the leaves whose key has a 0 where the keys of the range first differ.
  std::uint32_t split_of(std::uint32_t first, std::uint32_t last) const {
    const std::uint64_t differing = codes_[first] ^ codes_[last];
    const auto key = [&](std::uint32_t i) -> std::uint64_t {
      return differing != 0 ? codes_[i] : i;
    };
    const std::uint64_t bit = std::bit_floor(key(first) ^ key(last));
    std::uint32_t zero = first;
    std::uint32_t one = last;
    while (one - zero > 1) {
      const std::uint32_t middle = zero + (one - zero) / 2;
      ((key(middle) & bit) != 0 ? one : zero) = middle;
    }
    return zero;
  }

  // `chosen_by(i)` is the cluster that i chooses; its own number for none.
  template <class ChosenBy>
  Clusters join_pairs(const Clusters& clusters, const ChosenBy& chosen_by) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < clusters.size(); ++i) chosen.push_back(chosen_by(i));
    Clusters left;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const bool is_joined = chosen[i] != i && chosen[chosen[i]] == i;
      if (is_joined && chosen[i] < i) continue;
      left.push_back(is_joined ? joined(clusters[i], clusters[chosen[i]]) : clusters[i]);
    }
    return left;
  }

  Cluster joined(const Cluster& earlier, const Cluster& later) {
    const std::uint32_t node = later.leaf - 1;
    const Aabb box = merge(earlier.box, later.box);
    tree_.nodes[node] = {box.min, earlier.node, box.max, later.node};
    tree_.parent[earlier.node] = tree_.parent[later.node] = node;
    return {node, earlier.leaf, box};
  }

  Tree& tree_;
  std::span<const std::uint64_t> codes_;
};

// The sweep: sorts the leaves of each node along each axis.
class Cutting {
 public:
  explicit Cutting(Tree& tree) : tree_(tree) {}

  // The node over these leaves, whose first one is the `begin`-th from the left.
  std::uint32_t cut(const std::vector<std::uint32_t>& leaves, std::uint32_t begin) {
    if (leaves.size() == 1) return leaves.front();
    const Cut best = best_cut(leaves);
    const auto at = best.along.begin() + static_cast<std::ptrdiff_t>(best.left);
    const auto middle = begin + static_cast<std::uint32_t>(best.left);
    const std::uint32_t left = cut({best.along.begin(), at}, begin);
    const std::uint32_t right = cut({at, best.along.end()}, middle);
    const std::uint32_t node = middle - 1;
    const Aabb box = merge(tree_.nodes[left].box(), tree_.nodes[right].box());
    tree_.nodes[node] = {box.min, left, box.max, right};
    tree_.parent[left] = tree_.parent[right] = node;
    return node;
  }

 private:
  struct Cut {
    std::vector<std::uint32_t> along;     // the leaves by their centres along the axis
    std::size_t left = 0;                 // how many of them are in the left child
    std::pair<double, std::size_t> rank;  // what it costs; how far it is from the middle
  };

  Cut best_cut(const std::vector<std::uint32_t>& leaves) const {
    Cut best;
    for (float Vec3::*const axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      std::vector<std::uint32_t> along = sorted(leaves, axis);
      std::vector<Aabb> from_right(along.size() + 1, Aabb::empty());
      for (std::size_t i = along.size(); i-- > 0;)
        from_right[i] = merge(from_right[i + 1], tree_.nodes[along[i]].box());
      Aabb from_left = Aabb::empty();
      bool is_best = false;
      for (std::size_t left = 1; left < along.size(); ++left) {
        from_left = merge(from_left, tree_.nodes[along[left - 1]].box());
        const std::size_t right = along.size() - left;
        const double cost =
            double{from_left.finite_half_area()} * static_cast<double>(left) +
            double{from_right[left].finite_half_area()} * static_cast<double>(right);
        const std::pair rank(cost, left < right ? right - left : left - right);
        if (best.left != 0 && !(rank < best.rank)) continue;
        best.left = left;
        best.rank = rank;
        is_best = true;
      }
      if (is_best) best.along = std::move(along);
    }
    return best;
  }

  // Equal centres stand in the order of the leaves.
  std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> leaves, float Vec3::*axis) const {
    std::vector<std::pair<float, std::uint32_t>> places;
    for (const std::uint32_t leaf : leaves) {
      const BvhNode& node = tree_.nodes[leaf];
      places.emplace_back(0.5F * node.min.*axis + 0.5F * node.max.*axis, leaf);
    }
    std::sort(places.begin(), places.end());
    std::transform(places.begin(), places.end(), leaves.begin(),
                   [](const auto& place) { return place.second; });
    return leaves;
  }

  Tree& tree_;
};

}  // namespace

Tree built_tree(unsigned build_traits, std::span<const std::uint64_t> codes,
                std::span<const std::uint32_t> primitives, std::span<const Aabb> boxes,
                std::uint32_t capacity) {
  const auto count = static_cast<std::uint32_t>(codes.size());
  const std::size_t nodes = capacity > 0 ? 2 * std::size_t{capacity} - 1 : 0;
  Tree tree{.nodes = std::vector<BvhNode>(nodes),
            .parent = std::vector<std::uint32_t>(nodes),
            .root = Bvh::no_node,
            .capacity = capacity,
            .count = count};
  if (count == 0) return tree;
  Clustering clustering(tree, codes, primitives, boxes);
  if ((build_traits & BuildTrait::sweeps) != 0) {
    std::vector<std::uint32_t> leaves(count);
    std::iota(leaves.begin(), leaves.end(), tree.first_leaf());
    tree.root = Cutting(tree).cut(leaves, 0);
  } else if ((build_traits & BuildTrait::in_rounds) != 0) {
    tree.root = clustering.join_all().node;
  } else {
    tree.root = clustering.join(0, count - 1).front().node;
  }
  tree.parent[tree.root] = Bvh::no_node;
  return tree;
}

std::string check_links(const Tree& tree, std::span<const std::uint32_t> primitives) {
  if (tree.count == 0) return tree.root == Bvh::no_node ? "" : "an empty tree has a root";
  std::vector<unsigned char> used(tree.nodes.size(), 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{tree.root, Bvh::no_node}};
  std::uint32_t leaves = 0;
  while (!open.empty()) {
    const auto [index, parent] = open.back();
    open.pop_back();
    const std::string node = "node " + std::to_string(index);
    if (index >= tree.nodes.size()) return node + " does not exist";
    if (used[index]++ != 0) return node + " is used twice";
    if (tree.parent[index] != parent)
      return node + " names " + std::to_string(tree.parent[index]) + " as its parent, not " +
             std::to_string(parent);
    const BvhNode& here = tree.nodes[index];
    if (here.is_leaf() != (index >= tree.first_leaf())) return node + " is in the wrong part";
    if (!here.is_leaf()) {
      open.emplace_back(here.left, index);
      open.emplace_back(here.right, index);
      continue;
    }
    ++leaves;
    const std::uint32_t place = index - tree.first_leaf();
    if (place >= tree.count || here.left != primitives[place])
      return "leaf " + std::to_string(place) + " has not the primitive of its place";
  }
  if (leaves == tree.count) return {};
  return std::to_string(leaves) + " of " + std::to_string(tree.count) + " leaves are reached";
}

std::string check_same_links(const Tree& got, const Tree& want) {
  if (got.root != want.root)
    return "the root is " + std::to_string(got.root) + ", not " + std::to_string(want.root);
  const auto differs = [&](std::size_t i) {
    const BvhNode& a = got.nodes[i];
    const BvhNode& b = want.nodes[i];
    return a.left != b.left || a.right != b.right || got.parent[i] != want.parent[i];
  };
  const auto complaint = [&](std::size_t begin, std::size_t nodes) {
    return first_complaint(nodes, [&](std::size_t i) -> std::string {
      if (!differs(begin + i)) return {};
      return "node " + std::to_string(begin + i) + " has other links than the reference's";
    });
  };
  if (got.count == 0) return {};
  const std::string inner = complaint(0, got.count - 1);
  return inner.empty() ? complaint(got.first_leaf(), got.count) : inner;
}

}  // namespace warpview::reference
