#include "scenes/parts/drawn.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <tuple>

#include "gpu/steps/write.h"

namespace warpview {
namespace {

constexpr std::uint32_t not_reached = 0xffffffffU;

using Words = std::array<std::uint32_t, sizeof(Aabb) / sizeof(std::uint32_t)>;

Words words_of(const Aabb& box) {
  Words words{};
  std::memcpy(words.data(), &box, sizeof box);
  return words;
}

// A box that is drawn, in the order of its bits.
struct OverlappedBox {
  Words box{};
  float overlap = 0.0F;

  bool operator<(const OverlappedBox& other) const {
    return std::tie(box, overlap) < std::tie(other.box, other.overlap);
  }
};

float share(std::uint64_t part, std::uint64_t whole) {
  return whole > 0 ? static_cast<float>(part) / static_cast<float>(whole) : 0.0F;
}

// Eight bits of a code, or those that are left, over the largest number of so many.
float share_of_digit(std::uint64_t code, int code_bits, std::uint32_t digit) {
  const int shift = 8 * static_cast<int>(digit);
  const int bits = std::min(code_bits - shift, 8);
  if (bits <= 0) return 0.0F;
  const std::uint64_t largest = (std::uint64_t{1} << static_cast<unsigned>(bits)) - 1;
  return share(code >> static_cast<unsigned>(shift) & largest, largest);
}

std::size_t first_leaf_of(const Tree::Snapshot& tree) { return tree.nodes.size() / 2; }

}  // namespace

std::vector<std::uint32_t> depths_of(const Tree::Snapshot& tree) {
  std::vector<std::uint32_t> depths(tree.nodes.size(), not_reached);
  if (tree.root == Bvh::no_node) return depths;
  std::vector<std::uint32_t> left = {tree.root};
  depths[tree.root] = 0;
  while (!left.empty()) {
    const std::uint32_t node = left.back();
    left.pop_back();
    if (tree.nodes[node].is_leaf()) continue;
    for (const std::uint32_t child : {tree.nodes[node].left, tree.nodes[node].right}) {
      depths[child] = depths[node] + 1;
      left.push_back(child);
    }
  }
  return depths;
}

void DrawnCheck::note(std::size_t stream, std::size_t element, const std::string& what) {
  difference_ = fmt::format("stream \"{}\", element {}: {}", streams_[stream].name, element, what);
}

void DrawnCheck::words(std::size_t stream, std::size_t element_bytes, std::size_t count,
                       const void* expected) {
  if (is_done()) return;
  const std::size_t words_each = element_bytes / sizeof(std::uint32_t);
  const std::size_t all = words_each * count;
  const std::vector<std::uint32_t> found = drawn_.read<std::uint32_t>(stream, all);
  if (found.size() != all) {
    difference_ = fmt::format("stream \"{}\" has room for {} elements, and {} are drawn",
                              streams_[stream].name, found.size() / words_each, count);
    return;
  }
  std::vector<std::uint32_t> wanted(all);
  if (all > 0) std::memcpy(wanted.data(), expected, all * sizeof(std::uint32_t));
  const auto [at, other] = std::mismatch(found.begin(), found.end(), wanted.begin());
  if (at == found.end()) return;
  const auto place = static_cast<std::size_t>(at - found.begin());
  note(stream, place / words_each,
       fmt::format("word {} is {:#x}, not {:#x}", place % words_each, *at, *other));
}

void DrawnCheck::shares(std::size_t stream, const std::vector<float>& expected) {
  if (is_done()) return;
  constexpr float most = 1e-6F;
  const std::vector<float> found = drawn_.read<float>(stream, expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= most))
      return note(stream, i, fmt::format("it is {}, not {}", found[i], expected[i]));
}

void DrawnCheck::command(std::size_t command, const DrawCommand& expected) {
  if (is_done()) return;
  struct Member {
    const char* name;
    std::uint32_t DrawCommand::*value;
  };
  constexpr std::array members = {
      Member{"count", &DrawCommand::count}, Member{"instances", &DrawCommand::instances},
      Member{"first", &DrawCommand::first}, Member{"base_vertex", &DrawCommand::base_vertex},
      Member{"base_instance", &DrawCommand::base_instance}};
  const DrawCommand& found = drawn_.commands[command];
  for (const Member& member : members)
    if (found.*member.value != expected.*member.value) {
      difference_ = fmt::format("draw command {}: {} is {}, not {}", command, member.name,
                                found.*member.value, expected.*member.value);
      return;
    }
}

void DrawnCheck::nothing(std::size_t command) {
  const DrawCommand& found = drawn_.commands[command];
  if (is_done() || found.count == 0 || found.instances == 0) return;
  difference_ =
      fmt::format("draw command {}: {} vertices or indices are drawn, not 0", command, found.count);
}

const Tree::Snapshot& DrawnCheck::snapshot(const Tree& tree) {
  const auto [at, is_new] = trees_.try_emplace(&tree);
  if (is_new) at->second = tree.snapshot(0);
  return at->second;
}

void DrawnCheck::boxes(const WrittenAt& at, std::span<const Tree* const> of,
                       std::span<const std::uint32_t> levels) {
  if (!has_room(at.stream)) return nothing(at.command);
  std::vector<OverlappedBox> wanted;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const Tree::Snapshot& tree = snapshot(*of[i]);
    const std::vector<std::uint32_t> depths = depths_of(tree);
    for (std::size_t node = 0; node < depths.size(); ++node)
      if (depths[node] == levels[i])
        wanted.push_back({words_of(tree.nodes[node].box()),
                          children_overlap(tree.nodes.data(), tree.nodes[node])});
  }
  const std::size_t count = wanted.size();
  command(at.command, {vertices_per_box, static_cast<std::uint32_t>(count), 0, 0, 0});
  if (is_done()) return;
  const bool has_overlaps = at.streams > 1;
  std::vector<OverlappedBox> found;
  for (const Aabb& box : drawn_.read<Aabb>(at.stream, count)) found.push_back({words_of(box)});
  if (has_overlaps) {
    const std::vector<float> overlaps = drawn_.read<float>(at.stream + 1, count);
    for (std::size_t i = 0; i < overlaps.size(); ++i) found[i].overlap = overlaps[i];
  }
  if (found.size() != count) return note(at.stream, found.size(), "there is no room for it");
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  constexpr float most = 1e-6F;
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i].box != wanted[i].box)
      return note(at.stream, i, "sorted as words, it is not a box of this level");
    if (has_overlaps && !(std::abs(found[i].overlap - wanted[i].overlap) <= most))
      return note(at.stream + 1, i,
                  fmt::format("of the boxes sorted as words, it is {}, not {}", found[i].overlap,
                              wanted[i].overlap));
  }
}

void DrawnCheck::curve(const WrittenAt& at, const Tree& of) {
  if (!has_room(at.stream)) return nothing(at.command);
  const Tree::Snapshot& tree = snapshot(of);
  std::vector<Vec3> expected;
  for (const std::uint32_t primitive : tree.primitives)
    expected.push_back(tree.boxes[primitive].centre());
  command(at.command, {static_cast<std::uint32_t>(expected.size()), 1, 0, 0, 0});
  stream(at.stream, expected);
}

void DrawnCheck::triangle_values(std::size_t stream, const Tree& of,
                                 const TriangleValueChoice& choice) {
  const Tree::Snapshot& tree = snapshot(of);
  const std::vector<std::uint32_t> depths = depths_of(tree);
  const std::size_t count = tree.primitives.size();
  std::vector<float> expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    float& value = expected[tree.primitives[i]];
    switch (choice.value) {
      case TriangleValue::rank:
        value = share(i, count - 1);
        break;
      case TriangleValue::leaf:
        value = value_of_leaf(static_cast<std::uint32_t>(i));
        break;
      case TriangleValue::depth:
        value = share(depths[first_leaf_of(tree) + i], tree.statistics.max_depth);
        break;
      case TriangleValue::digit:
        value = share_of_digit(tree.sorted_codes[i], tree.code_bits, choice.digit);
        break;
    }
  }
  shares(stream, expected);
}

void DrawnCheck::path(std::size_t stream, std::size_t command, const Tree& of,
                      std::uint32_t picked) {
  const Tree::Snapshot& tree = snapshot(of);
  const auto rank = std::find(tree.primitives.begin(), tree.primitives.end(), picked);
  if (rank == tree.primitives.end()) return this->command(command, {});
  std::vector<Aabb> expected;
  auto node = static_cast<std::uint32_t>(first_leaf_of(tree) +
                                         static_cast<std::size_t>(rank - tree.primitives.begin()));
  for (; node != Bvh::no_node; node = tree.parent[node]) expected.push_back(tree.nodes[node].box());
  std::reverse(expected.begin(), expected.end());
  expected.resize(std::min<std::size_t>(expected.size(), Bvh::longest_path));
  this->command(command, {vertices_per_box, static_cast<std::uint32_t>(expected.size()), 0, 0, 0});
  this->stream(stream, expected);
}

}  // namespace warpview
