#include "gpu/reference/reference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <unordered_map>

#include "gpu/reference/all_cores.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview::reference {

SceneBounds bounds(std::span<const Aabb> boxes) {
  SceneBounds result{Aabb::empty(), Aabb::empty()};
  for (const Aabb& box : boxes) {
    if (box.is_empty()) continue;
    result.points = merge(result.points, box);
    result.centres = merge(result.centres, {box.centre(), box.centre()});
  }
  return {result.points.with_positive_zeros(), result.centres.with_positive_zeros()};
}

template <class Key>
Pairs<Key> sort(std::span<const Key> keys, std::span<const std::uint32_t> values, int begin_bit,
                int end_bit) {
  const auto digits = [=](Key key) -> Key {
    if (begin_bit >= end_bit) return 0;
    const int width = static_cast<int>(8 * sizeof(Key));
    return (key << (width - end_bit)) >> (width - end_bit + begin_bit);
  };
  Pairs<Key> result;
  for (const std::uint32_t i : stable_order(keys.size(), [&](std::uint32_t a, std::uint32_t b) {
         return digits(keys[a]) < digits(keys[b]);
       })) {
    result.keys.push_back(keys[i]);
    result.values.push_back(values.empty() ? i : values[i]);
  }
  return result;
}
template Pairs<std::uint32_t> sort(std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                   int, int);
template Pairs<std::uint64_t> sort(std::span<const std::uint64_t>, std::span<const std::uint32_t>,
                                   int, int);

namespace {

// The arithmetic of gpu/primitives/morton/expand.h, each rounding in its place. A sum or quotient
// of two floats computed in double and rounded to float is the correctly rounded one (53 >= 2 * 24
// + 2 bits), and products with a half are exact in double, so nothing here depends on contraction.
float rounded(double value) { return static_cast<float>(value); }
float half(float a) { return rounded(0.5 * a); }

std::uint64_t cell(float min, float max, float low, float high, int bits) {
  const float centre = rounded(0.5 * min + double{half(max)});
  const float offset = rounded(0.5 * centre - double{half(low)});
  const float extent = rounded(0.5 * high - double{half(low)});
  if (!(extent > 0.0F) || !(offset > 0.0F)) return 0;
  const double cells = std::ldexp(1.0, bits);
  const double scaled = double{rounded(double{offset} / double{extent})} * cells;
  return static_cast<std::uint64_t>(std::min(scaled, cells - 1.0));
}

using Extents = std::array<float, 3>;

// At which level each axis is first split: the longest at once, another when the parts of the
// longest are about as long as it is, at level 15 at the latest.
std::array<int, 3> first_levels(const Extents& extents) {
  const float longest = *std::max_element(extents.begin(), extents.end());
  if (!(longest > 0.0F)) return {};
  // Numbers below the smallest normal one count as having its exponent less one.
  const auto exponent = [](float x) {
    return std::max(std::ilogb(x), std::numeric_limits<float>::min_exponent - 2);
  };
  std::array<int, 3> levels{15, 15, 15};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (extents[axis] > 0.0F)
      levels[axis] = std::min(exponent(longest) - exponent(extents[axis]), 15);
  return levels;
}

std::uint64_t interleave(const Aabb& box, const Aabb& domain, int code_bits) {
  const auto extent = [](float low, float high) { return rounded(0.5 * high - double{half(low)}); };
  const std::array<int, 3> first =
      first_levels({extent(domain.min.x, domain.max.x), extent(domain.min.y, domain.max.y),
                    extent(domain.min.z, domain.max.z)});
  // Levels are complete, and no axis has more than 24.
  const auto bits_of = [&](int levels) {
    int bits = 0;
    for (const int level : first) bits += std::max(levels - level, 0);
    return bits;
  };
  const int all_split = *std::max_element(first.begin(), first.end());
  int levels = all_split;
  while (levels < 24 && bits_of(levels + 1) <= code_bits) ++levels;
  const std::array<std::uint64_t, 3> cells{
      cell(box.min.x, box.max.x, domain.min.x, domain.max.x, levels - first[0]),
      cell(box.min.y, box.max.y, domain.min.y, domain.max.y, levels - first[1]),
      cell(box.min.z, box.max.z, domain.min.z, domain.max.z, levels - first[2])};
  std::uint64_t code = 0;
  for (int level = 0; level < levels; ++level)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (level >= first[axis]) code = code << 1U | (cells[axis] >> (levels - 1 - level) & 1U);
  return code;
}

}  // namespace

std::vector<std::uint32_t> morton_bits30(std::span<const Aabb> boxes, std::size_t count,
                                         const Aabb& domain) {
  std::vector<std::uint32_t> codes(boxes.size(), 0xffffffffU);
  for_each_item(count, [&](std::size_t i) {
    codes[i] = static_cast<std::uint32_t>(interleave(boxes[i], domain, 30));
  });
  return codes;
}

std::vector<std::uint64_t> morton_bits63(std::span<const Aabb> boxes, std::size_t count,
                                         const Aabb& domain) {
  std::vector<std::uint64_t> codes(boxes.size(), ~std::uint64_t{0});
  for_each_item(count, [&](std::size_t i) { codes[i] = interleave(boxes[i], domain, 63); });
  return codes;
}

namespace {

// Canonical bits, equal for equal corners: -0 equals 0.
using Content = std::array<std::uint32_t, 8>;
Content content_of(const Vertex& corner) {
  std::array<float, 8> floats;
  std::memcpy(floats.data(), &corner, sizeof(Vertex));
  for (float& value : floats)
    if (value == 0.0F) value = 0.0F;
  return std::bit_cast<Content>(floats);
}
struct HashOfContent {
  std::size_t operator()(const Content& content) const {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a over words
    for (const std::uint32_t word : content) hash = (hash ^ word) * 0x100000001b3U;
    return hash ^ hash >> 32U;
  }
};
using Numbers = std::unordered_map<Content, std::uint32_t, HashOfContent>;

Mesh dedup_on_one_core(std::span<const Vertex> corners) {
  Numbers seen;
  seen.reserve(corners.size());
  Mesh mesh;
  for (const Vertex& corner : corners) {
    if (mesh.indices.size() % block_items == 0) interruption_point();
    const auto next = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto [place, is_new] = seen.try_emplace(content_of(corner), next);
    if (is_new) mesh.vertices.push_back(corner);
    mesh.indices.push_back(place->second);
  }
  return mesh;
}

// Equal corners are in one part, so that each part finds the first corner of each kind by itself. A
// vertex's number is the number of firsts before its own.
Mesh dedup_on_all_cores(std::span<const Vertex> corners) {
  const std::size_t n = corners.size();
  const Parts parts(
      n, [&](std::uint32_t i) { return Parts::of_hash(HashOfContent()(content_of(corners[i]))); },
      Cores::all);
  std::vector<std::uint32_t> first(n);
  for_each_task(
      Parts::count,
      [&](std::size_t part) {
        Numbers seen;
        for (const std::uint32_t i : parts.part(part))
          first[i] = seen.try_emplace(content_of(corners[i]), i).first->second;
      },
      true);

  std::vector<std::uint32_t> is_first(n);
  for_each_item(
      n, [&](std::size_t i) { is_first[i] = first[i] == i ? 1 : 0; }, Cores::all);
  const std::vector<std::uint32_t> number =
      scan(std::span<const std::uint32_t>(is_first), false, 0U, std::plus<>(), Cores::all);
  Mesh mesh{std::vector<std::uint32_t>(n),
            std::vector<Vertex>(n == 0 ? 0 : number.back() + is_first.back())};
  for_each_item(
      n,
      [&](std::size_t i) {
        mesh.indices[i] = number[first[i]];
        if (first[i] == i) mesh.vertices[number[i]] = corners[i];
      },
      Cores::all);
  return mesh;
}

}  // namespace

Mesh dedup(std::span<const Vertex> corners, Cores cores) {
  return takes_all(cores, corners.size()) ? dedup_on_all_cores(corners)
                                          : dedup_on_one_core(corners);
}

std::vector<Aabb> triangle_boxes(std::span<const Vertex> vertices,
                                 std::span<const std::uint32_t> indices) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    Aabb box = Aabb::empty();
    for (std::size_t corner = i; corner < i + 3; ++corner) {
      const Vec3 position = vertices[indices[corner]].position;
      box = merge(box, {position, position});
    }
    boxes.push_back(box);
  }
  return boxes;
}

namespace {

// Nodes from the root down: every node comes after its parent.
std::vector<std::uint32_t> top_down(const Tree& tree) {
  std::vector<std::uint32_t> order;
  if (tree.root == Bvh::no_node) return order;
  order.push_back(tree.root);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const BvhNode& node = tree.nodes[order[i]];
    if (node.is_leaf()) continue;
    order.push_back(node.left);
    order.push_back(node.right);
  }
  return order;
}

bool equal(const Aabb& a, const Aabb& b) {
  return a.min.x == b.min.x && a.min.y == b.min.y && a.min.z == b.min.z && a.max.x == b.max.x &&
         a.max.y == b.max.y && a.max.z == b.max.z;
}

// The last key of [first, last] whose bit is 0, where `bit` is the highest in which the keys
// differ.
std::uint32_t split(std::span<const std::uint64_t> codes, std::uint32_t first, std::uint32_t last) {
  const std::uint64_t differing = codes[first] ^ codes[last];
  const bool by_index = differing == 0;
  const std::uint64_t bit = std::bit_floor(by_index ? std::uint64_t{first ^ last} : differing);
  std::uint32_t with_zero = first;
  std::uint32_t with_one = last;
  while (with_one - with_zero > 1) {
    const std::uint32_t middle = with_zero + (with_one - with_zero) / 2;
    const std::uint64_t key = by_index ? middle : codes[middle];
    ((key & bit) != 0 ? with_one : with_zero) = middle;
  }
  return with_zero;
}

}  // namespace

void refit(Tree& tree, std::span<const Aabb> boxes) {
  std::vector<std::uint32_t> bottom_up = top_down(tree);
  std::reverse(bottom_up.begin(), bottom_up.end());
  for (const std::uint32_t place : bottom_up) {
    BvhNode& node = tree.nodes[place];
    const Aabb box = node.is_leaf()
                         ? boxes[node.left]
                         : merge(tree.nodes[node.left].box(), tree.nodes[node.right].box());
    node.min = box.min;
    node.max = box.max;
  }
}

std::string check_topology(const Tree& tree, std::span<const std::uint64_t> codes,
                           std::span<const std::uint32_t> primitives, Cores cores) {
  if (tree.count == 0) return tree.root == Bvh::no_node ? "" : "an empty tree has a root";

  struct Expected {
    std::uint32_t node, parent, first, last;
  };
  // Nodes of subtrees that several cores walk at once have different numbers: each is checked to
  // lie in the range of its keys before the lookup here.
  std::vector<unsigned char> used(tree.nodes.size(), 0);
  const auto visit = [&](const Expected& expected, auto& open) -> std::string {
    const auto wrong = [&](const std::string& what) {
      return "node " + std::to_string(expected.node) + ", which should cover keys " +
             std::to_string(expected.first) + " to " + std::to_string(expected.last) + what;
    };
    const auto [index, parent, first, last] = expected;
    if (index >= tree.nodes.size()) return wrong(", does not exist");
    if (tree.parent[index] != parent)
      return wrong(", names " + std::to_string(tree.parent[index]) + " as its parent, not " +
                   std::to_string(parent));

    const BvhNode& node = tree.nodes[index];
    if (first == last) {
      if (index != tree.first_leaf() + first || !node.is_leaf()) return wrong(", is not its leaf");
      if (node.left != primitives[first])
        return wrong(", holds primitive " + std::to_string(node.left) + ", not " +
                     std::to_string(primitives[first]));
      return {};
    }
    if (index >= tree.first_leaf() || node.is_leaf()) return wrong(", is not an inner node");
    if (index < first || index > last) return wrong(", does not bear the number of one of them");
    if (used[index] != 0) return wrong(", is used twice");
    used[index] = 1;
    const std::uint32_t end = split(codes, first, last);
    open.push_back({node.right, index, end + 1, last});
    open.push_back({node.left, index, first, end});
    return {};
  };
  return walk_down(Expected{tree.root, Bvh::no_node, 0, tree.count - 1}, visit,
                   takes_all(cores, tree.count));
}

std::string check_boxes(const Tree& tree, std::span<const Aabb> boxes, Cores cores) {
  if (tree.root == Bvh::no_node) return {};
  const auto visit = [&](std::uint32_t index, auto& open) -> std::string {
    const BvhNode& node = tree.nodes[index];
    if (node.is_leaf()) {
      if (equal(node.box(), boxes[node.left])) return {};
      return "leaf " + std::to_string(index) + " has not the box of its primitive " +
             std::to_string(node.left);
    }
    if (!equal(node.box(), merge(tree.nodes[node.left].box(), tree.nodes[node.right].box())))
      return "the box of node " + std::to_string(index) + " is not the union of its children's";
    open.push_back(node.right);
    open.push_back(node.left);
    return {};
  };
  return walk_down(tree.root, visit, takes_all(cores, tree.count));
}

}  // namespace warpview::reference
