#include "app/step_views/walks.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "app/common/source_files.h"
#include "app/step_views/arrays.h"

namespace warpview::step_views {
namespace {

constexpr std::uint32_t node_bytes = 32;
constexpr std::uint32_t ray_bytes = 32;
constexpr std::uint32_t hit_bytes = 16;
constexpr std::uint32_t leaf_bytes = 48;
constexpr std::uint32_t triangle_bytes = 12;  // three indices

class WalkReader {
 public:
  WalkReader(const Recording& recording, const WalkArrays& arrays, RayWalks& out)
      : recording_(recording), arrays_(arrays), out_(out) {
    out_.walk_of.resize(recording.events.size());
    const auto& nodes = recording.arrays[arrays.nodes].before;
    for (std::uint32_t i = arrays.first_leaf(); i < arrays.node_count; ++i)
      leaf_of_.emplace(number_at<std::uint32_t>(nodes, std::size_t{i} * node_bytes + 12), i);
  }

  void read() {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::launch) {
        // Other kernels sort the rays.
        traces_ =
            bare_name(recording_.launches[event.subject].kernel).find("trace") != std::string::npos;
        walking_.clear();
      } else if (traces_ && is_access(event.kind)) {
        access(i, event);
      }
    }
  }

 private:
  void access(std::size_t i, const RecordedEvent& event) {
    const auto lane = std::pair(event.block, event.thread);
    if (event.subject == arrays_.rays) begin(i, event, lane);
    const auto found = walking_.find(lane);
    if (found == walking_.end()) return;
    RayWalk& walk = out_.walks[found->second];
    out_.walk_of[i] = found->second + 1;
    if (event.subject == arrays_.nodes) add(walk.boxes, i, event.offset / node_bytes);
    if (event.subject == arrays_.leaves)
      add(walk.triangles, i, arrays_.first_leaf() + event.offset / leaf_bytes);
    if (event.subject == arrays_.indices)
      if (const auto leaf = leaf_of_.find(event.offset / triangle_bytes); leaf != leaf_of_.end())
        add(walk.triangles, i, leaf->second);
    if (is_read(event.kind)) return;
    if (event.subject == arrays_.hits && event.offset / hit_bytes == walk.ray) {
      if (event.offset % hit_bytes == 0)
        walk.hits = static_cast<std::uint32_t>(event.value) != 0xffffffffU;
      walk.end = i;
    }
    if (event.subject == arrays_.any && event.offset / 4 == walk.ray) {
      walk.hits = event.value != 0;
      walk.end = i;
    }
  }

  void begin(std::size_t i, const RecordedEvent& event,
             std::pair<std::uint32_t, std::uint32_t> lane) {
    const std::uint32_t ray = event.offset / ray_bytes;
    const auto found = walking_.find(lane);
    if (found != walking_.end() && out_.walks[found->second].ray == ray) return;
    walking_[lane] = static_cast<std::uint32_t>(out_.walks.size());
    out_.walks.push_back({.block = event.block, .thread = event.thread, .ray = ray, .begin = i});
  }

  void add(std::vector<RayWalk::Visit>& visits, std::size_t event, std::uint32_t node) const {
    if (node >= arrays_.node_count) return;
    if (visits.empty() || visits.back().node != node) visits.push_back({event, node});
  }

  const Recording& recording_;
  const WalkArrays& arrays_;
  RayWalks& out_;
  std::unordered_map<std::uint32_t, std::uint32_t> leaf_of_;                  // by triangle
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> walking_;  // by block and thread
  bool traces_ = false;
};

}  // namespace

std::optional<WalkArrays> walk_arrays(const Recording& recording) {
  if (recording.primitive != "trace") return std::nullopt;
  const auto nodes = find_array(recording, "nodes", node_bytes);
  const auto rays = find_array(recording, "rays", ray_bytes);
  const auto root = find_array(recording, "root", 4);
  if (!nodes || !rays || !root) return std::nullopt;
  const std::size_t count = recording.arrays[*nodes].before.size() / node_bytes;
  if (count % 2 == 0) return std::nullopt;
  return WalkArrays{.nodes = *nodes,
                    .rays = *rays,
                    .root = *root,
                    .leaves = find_array(recording, "leaves", leaf_bytes),
                    .indices = find_array(recording, "indices", 4),
                    .hits = find_array(recording, "hits", hit_bytes),
                    .any = find_array(recording, "any", 4),
                    .node_count = static_cast<std::uint32_t>(count)};
}

RayWalks::RayWalks(const Recording& recording, const WalkArrays& arrays) {
  WalkReader(recording, arrays, *this).read();
}

}  // namespace warpview::step_views
