// Parallel reinsertion and the restructuring of treelets, sequentially, from their definitions.
#include "gpu/reference/optimised.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "gpu/primitives/optimise/optimise.h"

namespace warpview::reference {
namespace {

using Node = std::uint32_t;

// A tree whose links change.
class Links {
 public:
  explicit Links(Tree& tree) : tree_(tree) {}

  bool is_leaf(Node node) const { return node >= tree_.first_leaf(); }
  Node parent(Node node) const { return tree_.parent[node]; }
  Node left(Node node) const { return tree_.nodes[node].left; }
  Node right(Node node) const { return tree_.nodes[node].right; }
  Node sibling(Node node) const {
    return left(parent(node)) == node ? right(parent(node)) : left(parent(node));
  }
  Aabb box(Node node) const { return tree_.nodes[node].box(); }
  float area(Node node) const { return box(node).finite_half_area(); }

  void replace(Node parent, Node before, Node now) {
    BvhNode& node = tree_.nodes[parent];
    (node.left == before ? node.left : node.right) = now;
    tree_.parent[now] = parent;
  }
  void set(Node node, Node left, Node right) {
    const Aabb box = merge(this->box(left), this->box(right));
    tree_.nodes[node] = {box.min, left, box.max, right};
    tree_.parent[left] = tree_.parent[right] = node;
  }

  // All nodes, parents before their children.
  std::vector<Node> from_the_root() const {
    std::vector<Node> nodes{tree_.root};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (is_leaf(nodes[i])) continue;
      const Node node = nodes[i];
      nodes.push_back(left(node));
      nodes.push_back(right(node));
    }
    return nodes;
  }
  // All nodes, children before their parents.
  std::vector<Node> to_the_root() const {
    std::vector<Node> nodes = from_the_root();
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }
  void fit() {
    for (const Node node : to_the_root())
      if (!is_leaf(node)) set(node, left(node), right(node));
  }

 private:
  Tree& tree_;
};

// ---- Reinsertion --------------------------------------------------------------------------------

struct Move {
  float gain = 0.0F;
  Node subtree = 0;
  Node beside = 0;
  std::vector<Node> claimed = {};
};

class PlaceSearch {
 public:
  PlaceSearch(const Links& links, Node subtree)
      : links_(links), subtree_(subtree), best_{.subtree = subtree} {}

  Move best() {
    const Node parent = links_.parent(subtree_);
    Node sibling = links_.sibling(subtree_);
    Aabb rest = links_.box(sibling);
    float saved = links_.area(parent);
    if (may_enter(sibling)) {
      const float below = saved - price(sibling) + links_.area(sibling);
      search(links_.left(sibling), below);
      search(links_.right(sibling), below);
    }
    Node pivot = parent;
    for (unsigned level = 0; level < ReinsertLimits::levels; ++level) {
      const Node above = links_.parent(pivot);
      if (above == Bvh::no_node) break;
      sibling = links_.sibling(pivot);
      if (pivot != parent) saved += links_.area(pivot) - rest.finite_half_area();
      search(sibling, saved);
      rest = merge(rest, links_.box(sibling));
      pivot = above;
    }
    if (best_.gain > 0.0F)
      best_.claimed = {subtree_,
                       parent,
                       links_.sibling(subtree_),
                       links_.parent(parent),
                       best_.beside,
                       links_.parent(best_.beside)};
    return best_;
  }

 private:
  float price(Node beside) const {
    return merge(links_.box(beside), links_.box(subtree_)).finite_half_area();
  }

  // Below nodes that are not larger no place is better than beside them.
  bool may_enter(Node node) const {
    return !links_.is_leaf(node) && links_.area(node) > links_.area(subtree_);
  }

  // Looks for a better place than the best so far in the subtree of `from`.
  void search(Node from, float saved) {
    std::vector<std::pair<Node, float>> open{{from, saved}};
    while (!open.empty()) {
      const auto [node, before] = open.back();
      open.pop_back();
      if (!(before - links_.area(subtree_) > best_.gain) || looks_ == ReinsertLimits::looks)
        continue;
      ++looks_;
      const float gain = before - price(node);
      if (gain > best_.gain) {
        best_.gain = gain;
        best_.beside = node;
      }
      if (!may_enter(node)) continue;
      const float below = gain + links_.area(node);
      if (open.size() < ReinsertLimits::waiting) open.emplace_back(links_.right(node), below);
      open.emplace_back(links_.left(node), below);
    }
  }

  const Links& links_;
  Node subtree_;
  Move best_;
  unsigned looks_ = 0;
};

void reinsert(const Tree& tree, Links& links) {
  std::vector<Move> moves;
  for (const Node node : links.from_the_root()) {
    if (node == tree.root || links.parent(node) == tree.root) continue;
    if (Move move = PlaceSearch(links, node).best(); move.gain > 0.0F)
      moves.push_back(std::move(move));
  }
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
    return std::pair(-a.gain, a.subtree) < std::pair(-b.gain, b.subtree);
  });
  // The first claim to a node is the best one, whether or not its move is made.
  std::map<Node, const Move*> holders;
  for (const Move& move : moves)
    for (const Node node : move.claimed) holders.emplace(node, &move);
  for (const Move& move : moves) {
    if (!std::all_of(move.claimed.begin(), move.claimed.end(),
                     [&](Node node) { return holders[node] == &move; }))
      continue;
    const Node parent = links.parent(move.subtree);
    links.replace(links.parent(parent), parent, links.sibling(move.subtree));
    links.replace(links.parent(move.beside), move.beside, parent);
    links.set(parent, move.beside, move.subtree);
  }
  links.fit();
}

// ---- Treelets -----------------------------------------------------------------------------------

class Treelet {
 public:
  Treelet(Links& links, std::vector<float>& costs, Node root) : links_(links), costs_(costs) {
    std::vector<Node> nodes{root};
    while (nodes.size() < treelet_leaves) {
      const auto rank = [&](Node node) { return links.is_leaf(node) ? -1.0F : links.area(node); };
      const auto largest = std::max_element(nodes.begin(), nodes.end(),
                                            [&](Node a, Node b) { return rank(a) < rank(b); });
      const Node opened = *largest;
      inner_.push_back(opened);
      *largest = links.left(opened);
      nodes.push_back(links.right(opened));
    }
    subtrees_ = std::move(nodes);
  }

  void improve() {
    constexpr unsigned all = (1U << treelet_leaves) - 1;
    if (!(best(all).cost < costs_[inner_.front()])) return;
    // Breadth first, each node takes the next of the treelet's inner nodes.
    std::vector<unsigned> sets{all};
    std::vector<std::array<Node, 3>> made;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto node_of = [&](unsigned set) {
        if (std::has_single_bit(set)) return subtrees_[std::countr_zero(set)];
        sets.push_back(set);
        return inner_[sets.size() - 1];
      };
      const unsigned half = best(sets[i]).half;
      const Node left = node_of(half);
      const Node right = node_of(sets[i] ^ half);
      made.push_back({inner_[i], left, right});
    }
    for (std::size_t i = made.size(); i-- > 0;) {
      links_.set(made[i][0], made[i][1], made[i][2]);
      costs_[made[i][0]] = best(sets[i]).cost;
    }
  }

 private:
  struct Best {
    float cost;
    unsigned half;  // with the set's lowest member
  };

  Aabb box_of(unsigned set) const {
    Aabb box = Aabb::empty();
    for (unsigned i = 0; i < treelet_leaves; ++i)
      if ((set >> i & 1U) != 0) box = merge(box, links_.box(subtrees_[i]));
    return box;
  }

  Best best(unsigned set) {
    if (std::has_single_bit(set)) return {costs_[subtrees_[std::countr_zero(set)]], set};
    const auto known = best_.find(set);
    if (known != best_.end()) return known->second;
    const unsigned lowest = set & (0U - set);
    Best found{std::numeric_limits<float>::infinity(), lowest};
    for (unsigned half = set - 1; half >= lowest; --half) {
      if ((half & ~set) != 0 || (half & lowest) == 0) continue;
      const float cost = best(half).cost + best(set ^ half).cost;
      if (cost < found.cost) found = {cost, half};
    }
    found.cost = box_of(set).finite_half_area() + found.cost;
    return best_[set] = found;
  }

  Links& links_;
  std::vector<float>& costs_;
  std::vector<Node> inner_, subtrees_;
  std::map<unsigned, Best> best_;
};

void restructure(const Tree& tree, Links& links, std::uint32_t least_leaves) {
  std::vector<float> costs(tree.nodes.size());
  std::vector<std::uint32_t> leaves(tree.nodes.size(), 1);
  for (const Node node : links.to_the_root()) {
    costs[node] = links.area(node);
    if (links.is_leaf(node)) continue;
    const Node left = links.left(node);
    const Node right = links.right(node);
    costs[node] += costs[left] + costs[right];
    leaves[node] = leaves[left] + leaves[right];
    if (leaves[node] >= least_leaves) Treelet(links, costs, node).improve();
  }
}

}  // namespace

Tree optimised(unsigned optimise_traits, Tree tree, std::uint32_t rounds) {
  if (tree.count < 2) return tree;
  Links links(tree);
  std::uint32_t least_leaves = treelet_leaves;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if ((optimise_traits & OptimiseTrait::treelets) == 0) {
      reinsert(tree, links);
    } else if (least_leaves <= tree.count) {
      restructure(tree, links, least_leaves);
      least_leaves *= 2;
    }
  }
  return tree;
}

double area_of_nodes(const Tree& tree) {
  double area = 0.0;
  const auto add = [&](std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i) area += tree.nodes[i].box().half_area();
  };
  if (tree.count > 1) add(0, tree.count - 1);
  if (tree.count > 0) add(tree.first_leaf(), tree.count);
  return area;
}

}  // namespace warpview::reference
