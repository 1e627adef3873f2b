#include "gpu/pipeline/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "gpu/reference/reference.h"

namespace warpview {
namespace {

using Snapshot = MeshPipeline::Snapshot;
using Text = std::optional<std::string>;  // of a difference, if there is one

std::string show(std::uint32_t value) { return std::to_string(value); }
std::string show(std::uint64_t value) { return fmt::format("{:#x}", value); }
std::string show(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }
std::string show(const Aabb& box) { return show(box.min) + " to " + show(box.max); }
std::string show(const Vertex& v) {
  return fmt::format("{{position {}, normal {}, texture {} {}}}", show(v.position), show(v.normal),
                     v.texcoord.x, v.texcoord.y);
}

// Of a struct of floats: the same bits, or zeros of either sign.
template <class T>
bool same(const T& a, const T& b) {
  using Words = std::array<std::uint32_t, sizeof(T) / sizeof(float)>;
  const auto x = std::bit_cast<Words>(a);
  const auto y = std::bit_cast<Words>(b);
  return std::equal(x.begin(), x.end(), y.begin(), [](std::uint32_t i, std::uint32_t j) {
    return i == j || std::bit_cast<float>(i) == std::bit_cast<float>(j);
  });
}
bool same(std::uint32_t a, std::uint32_t b) { return a == b; }
bool same(std::uint64_t a, std::uint64_t b) { return a == b; }

template <class T>
Text difference(const std::string& what, const T& found, const T& expected) {
  if (same(found, expected)) return {};
  return fmt::format("{} is {}, not {}", what, show(found), show(expected));
}

// `what` names one element: "vertex".
template <class T>
Text difference(const char* what, std::span<const T> found, std::span<const T> expected) {
  if (found.size() != expected.size())
    return fmt::format("{}: there are {}, not {}", what, found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (auto text = difference(fmt::format("{} {}", what, i), found[i], expected[i])) return text;
  return {};
}
template <class T>
Text difference(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
  return difference(what, std::span<const T>(found), std::span<const T>(expected));
}

bool finite(const Vertex& v) {
  return std::isfinite(v.position.x) && std::isfinite(v.position.y) && std::isfinite(v.position.z);
}

// Upload and scan share their result: what is left of the input without triangles that are not
// finite, in order.
Text check_kept(const Snapshot& s, std::span<const Vertex> corners,
                std::span<const std::uint32_t> material) {
  std::vector<Vertex> kept;
  std::vector<std::uint32_t> kept_material;
  for (std::size_t t = 0; t < material.size(); ++t) {
    const auto triangle = corners.subspan(3 * t, 3);
    if (!std::all_of(triangle.begin(), triangle.end(), finite)) continue;
    kept.insert(kept.end(), triangle.begin(), triangle.end());
    kept_material.push_back(material[t]);
  }
  const auto triangles = static_cast<std::uint32_t>(kept_material.size());
  const auto dropped = static_cast<std::uint32_t>(material.size()) - triangles;
  if (auto text = difference("the number of kept triangles", s.counts.triangles, triangles))
    return text;
  if (auto text = difference("the number of corners", s.counts.corners, 3 * triangles)) return text;
  if (auto text = difference("the number of dropped triangles", s.counts.dropped, dropped))
    return text;
  if (auto text = difference("corner", s.corners, kept)) return text;
  return difference("the material of triangle", s.material, kept_material);
}

Text check_dedup(const Snapshot& s) {
  const reference::Mesh mesh = reference::dedup(s.corners);
  const auto vertices = static_cast<std::uint32_t>(mesh.vertices.size());
  if (auto text = difference("the number of vertices", s.counts.vertices, vertices)) return text;
  if (auto text = difference("vertex", s.rest, mesh.vertices)) return text;
  return difference("the index of corner", s.indices, mesh.indices);
}

Text check_bounds(const Snapshot& s) {
  const std::vector<Aabb> boxes = reference::triangle_boxes(s.vertices, s.indices);
  if (auto text = difference("the box of triangle", s.boxes, boxes)) return text;
  const SceneBounds bounds = reference::bounds(boxes);
  if (auto text = difference("the bounds", s.bounds.points, bounds.points)) return text;
  return difference("the bounds of the centres", s.bounds.centres, bounds.centres);
}

Text check_morton(const Snapshot& s, int code_bits) {
  if (code_bits > 32)
    return difference("the code of triangle", s.codes,
                      reference::morton_bits63(s.boxes, s.boxes.size(), s.bounds.centres));
  const auto codes = reference::morton_bits30(s.boxes, s.boxes.size(), s.bounds.centres);
  return difference("the code of triangle", s.codes,
                    std::vector<std::uint64_t>(codes.begin(), codes.end()));
}

Text check_sort(const Snapshot& s, int code_bits) {
  const auto sorted = reference::sort<std::uint64_t>(s.codes, {}, 0, code_bits);
  if (auto text = difference("sorted code", s.sorted_codes, sorted.keys)) return text;
  return difference("the triangle of sorted code", s.primitives, sorted.values);
}

reference::Tree tree_of(const Snapshot& s) {
  return {.nodes = s.nodes,
          .parent = s.parent,
          .root = s.root,
          .capacity = static_cast<std::uint32_t>((s.nodes.size() + 1) / 2),
          .count = s.counts.triangles};
}

Text check_build(const Snapshot& s) {
  std::string text = reference::check_topology(tree_of(s), s.sorted_codes, s.primitives);
  if (text.empty()) return {};
  return text;
}

// Depth and cost from the root down. The device adds the costs up in any order.
Text check_statistics(const Snapshot& s) {
  constexpr double tolerance = 1e-6;
  std::uint32_t max_depth = 0;
  double cost = 0.0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // node, depth
  if (s.root != Bvh::no_node) open.emplace_back(s.root, 0);
  const double root_area = open.empty() ? 0.0 : s.nodes[s.root].box().half_area();
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const BvhNode& node = s.nodes[index];
    max_depth = std::max(max_depth, depth);
    if (root_area > 0.0) cost += node.box().half_area() / root_area;
    if (node.is_leaf()) continue;
    open.emplace_back(node.left, depth + 1);
    open.emplace_back(node.right, depth + 1);
  }
  const std::uint32_t inner_nodes = s.counts.triangles == 0 ? 0 : s.counts.triangles - 1;
  if (auto text = difference("the number of inner nodes", s.statistics.inner_nodes, inner_nodes))
    return text;
  if (auto text = difference("the tree's depth", s.statistics.max_depth, max_depth)) return text;
  if (std::abs(s.statistics.sah_cost - cost) > tolerance * cost)
    return fmt::format("the tree's SAH cost is {}, not {}", s.statistics.sah_cost, cost);
  return {};
}

Text check_refit(const Snapshot& s) {
  const std::vector<Aabb> boxes = reference::triangle_boxes(s.vertices, s.indices);
  std::string text = reference::check_boxes(tree_of(s), boxes);
  if (!text.empty()) return text;
  return check_statistics(s);
}

}  // namespace

std::optional<Difference> verify(const Snapshot& snapshot, std::span<const Vertex> input_corners,
                                 std::span<const std::uint32_t> material,
                                 const VariantChoice& choice) {
  const int code_bits = morton_code_bits(choice[Primitive::morton]);
  for (const Stage stage : verifiable_stages(snapshot)) {
    Text text;
    switch (stage) {
      case Stage::upload:
        break;  // what it left is seen through `scan`
      case Stage::scan:
        text = check_kept(snapshot, input_corners, material);
        break;
      case Stage::dedup:
        text = check_dedup(snapshot);
        break;
      case Stage::bounds:
        text = check_bounds(snapshot);
        break;
      case Stage::morton:
        text = check_morton(snapshot, code_bits);
        break;
      case Stage::sort:
        text = check_sort(snapshot, code_bits);
        break;
      case Stage::build:
        text = check_build(snapshot);
        break;
      case Stage::refit:
        text = check_refit(snapshot);
        break;
    }
    if (text) return Difference{stage, *text};
  }
  return {};
}

std::vector<Stage> verifiable_stages(const Snapshot& snapshot) {
  std::vector<Stage> stages(all_stages.begin(), all_stages.end());
  if (!snapshot.tree_is_current)
    std::erase_if(stages,
                  [](Stage stage) { return stage == Stage::bounds || stage == Stage::morton; });
  return stages;
}

}  // namespace warpview
