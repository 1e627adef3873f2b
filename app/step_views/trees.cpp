#include "app/step_views/trees.h"

#include <algorithm>

#include "app/step_views/arrays.h"
#include "gpu/recording/replay.h"

namespace warpview::step_views {

std::optional<TreeArrays> tree_arrays(const Recording& recording) {
  TreeArrays found;
  found.builds = recording.primitive == "build";
  if (!found.builds && recording.primitive != "refit") return std::nullopt;
  const auto nodes = find_array(recording, "nodes", 32, 3);
  if (!nodes) return std::nullopt;
  const std::uint32_t count = recording.arrays[*nodes].bytes / 32;
  const auto parent = find_array(recording, "parent", 4, count);
  if (!parent || count % 2 == 0) return std::nullopt;
  found.nodes = *nodes;
  found.parent = *parent;
  found.capacity = (count + 1) / 2;
  found.arrived = find_array(recording, "arrived", 4, found.capacity);
  found.arrivals = find_array(recording, "arrivals", 8, found.capacity);
  return found;
}

std::optional<std::uint32_t> TreeArrays::node_of(const RecordedEvent& event) const {
  if (!is_access(event.kind)) return std::nullopt;
  if (event.subject == nodes) return event.offset / 32;
  if (event.subject == parent || event.subject == arrived) return event.offset / 4;
  if (event.subject == arrivals) return event.offset / 8;
  return std::nullopt;
}

FinishedTree::FinishedTree(const Recording& recording, const TreeArrays& arrays) {
  Replay replay(recording);
  while (!replay.ended()) replay.step();
  const auto bytes = replay.contents(arrays.nodes);
  const auto parents = replay.contents(arrays.parent);
  const auto count = static_cast<std::uint32_t>(bytes.size() / 32);
  std::uint32_t root = arrays.first_leaf();
  for (std::uint32_t steps = 0; steps < count; ++steps) {
    const auto above = number_at<std::uint32_t>(parents, std::size_t{root} * 4);
    if (above >= count) break;
    root = above;
  }
  link(bytes, arrays.first_leaf(), root);
}

void FinishedTree::link(std::span<const std::uint8_t> bytes, std::uint32_t first_leaf,
                        std::uint32_t root) {
  const auto count = static_cast<std::uint32_t>(bytes.size() / 32);
  nodes.resize(count);
  std::vector<bool> seen(count);
  std::vector<std::uint32_t> left_to_do = {root};
  while (!left_to_do.empty()) {
    const std::uint32_t i = left_to_do.back();
    left_to_do.pop_back();
    if (i >= count || seen[i]) continue;
    seen[i] = true;
    Node& node = nodes[i];
    levels = std::max(levels, node.depth + 1);
    if (i >= first_leaf) {
      node.first = node.last = static_cast<std::uint32_t>(leaf_at.size());
      leaf_at.push_back(i);
      continue;
    }
    inner.push_back(i);
    node.left = number_at<std::uint32_t>(bytes, std::size_t{i} * 32 + 12);
    node.right = number_at<std::uint32_t>(bytes, std::size_t{i} * 32 + 28);
    for (const std::uint32_t child : {node.right, node.left}) {
      if (child >= count || seen[child]) continue;
      nodes[child].depth = node.depth + 1;
      nodes[child].parent = i;
      left_to_do.push_back(child);
    }
  }
  // Children before parents.
  for (std::size_t k = inner.size(); k-- > 0;) {
    Node& node = nodes[inner[k]];
    if (node.left >= count || node.right >= count) continue;
    node.first = nodes[node.left].first;
    node.split = nodes[node.left].last;
    node.middle = static_cast<float>(node.split + 1);
    node.last = nodes[node.right].last;
  }
}

}  // namespace warpview::step_views
