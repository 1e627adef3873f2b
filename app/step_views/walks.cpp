#include "app/step_views/walks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "app/common/source_files.h"
#include "app/step_views/arrays.h"
#include "gpu/operators/ray_triangle.h"
#include "gpu/primitives/trace/trace.h"

namespace warpview::step_views {
namespace {

constexpr std::uint32_t triangle_bytes = 12;  // three indices

class WalkReader {
 public:
  WalkReader(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree,
             RayWalks& out)
      : recording_(recording), arrays_(arrays), tree_(tree), out_(out) {
    out_.walk_of.resize(recording.events.size());
    out_.node_of.resize(recording.events.size());
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
    read_tree(walk, i, event);
    if (is_read(event.kind)) return;
    if (event.subject == arrays_.hits && event.offset / sizeof(RayHit) == walk.ray) {
      if (event.offset % sizeof(RayHit) == 0)
        walk.hits = static_cast<std::uint32_t>(event.value) != RayHit::nothing;
      walk.end = i;
    }
    if (event.subject == arrays_.any && event.offset / 4 == walk.ray) {
      walk.hits = event.value != 0;
      walk.end = i;
    }
  }

  void read_tree(RayWalk& walk, std::size_t i, const RecordedEvent& event) {
    if (event.subject == arrays_.walked())
      add(walk, i, tree_.node_of_element(event.offset / arrays_.node_bytes()), false);
    else if (event.subject == arrays_.nodes && !walk.leaves_wide_tree)
      walk.leaves_wide_tree = i;
    if (event.subject == arrays_.triangles)
      add(walk, i, tree_.node_of_triangle(event.offset / sizeof(LeafTriangle)), true);
    if (event.subject == arrays_.leaves)
      add(walk, i, node_of_leaf(event.offset / sizeof(LeafTriangle)), true);
    if (event.subject == arrays_.indices)
      add(walk, i, tree_.node_of_number(event.offset / triangle_bytes), true);
  }
  std::optional<std::uint32_t> node_of_leaf(std::size_t place) const {
    return tree_.node_of_number(number_at<LeafTriangle>(recording_.arrays[*arrays_.leaves].before,
                                                        place * sizeof(LeafTriangle))
                                    .triangle);
  }

  void begin(std::size_t i, const RecordedEvent& event,
             std::pair<std::uint32_t, std::uint32_t> lane) {
    const auto ray = static_cast<std::uint32_t>(event.offset / sizeof(BoundedRay));
    const auto found = walking_.find(lane);
    if (found != walking_.end() && out_.walks[found->second].ray == ray) return;
    walking_[lane] = static_cast<std::uint32_t>(out_.walks.size());
    out_.walks.push_back({.block = event.block, .thread = event.thread, .ray = ray, .begin = i});
  }

  void add(RayWalk& walk, std::size_t event, std::optional<std::uint32_t> node, bool is_triangle) {
    if (!node) return;
    out_.node_of[event] = *node + 1;
    const std::vector<std::uint32_t> tested =
        is_triangle ? std::vector{*node} : tree_.tested_by_read(*node);
    const bool goes_on = !walk.visits.empty() && !tested.empty() &&
                         walk.visits.back().node == tested.back() &&
                         walk.visits.back().is_triangle == is_triangle;
    if (goes_on) return;
    for (const std::uint32_t each : tested) walk.visits.push_back({event, each, is_triangle});
  }

  const Recording& recording_;
  const WalkArrays& arrays_;
  const WalkTree& tree_;
  RayWalks& out_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> walking_;  // by block and thread
  bool traces_ = false;
};

// Repeats the tests of one ray on the host.
class RayTests {
 public:
  RayTests(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree,
           std::uint32_t ray)
      : tree_(tree),
        ray_(number_at<BoundedRay>(recording.arrays[arrays.rays].before,
                                   std::size_t{ray} * sizeof(BoundedRay))),
        slabs_(ray_),
        shear_(ray_) {}

  // As gpu/primitives/trace/query.h: the key of a box, and of a triangle; infinite without a hit.
  float enter(std::uint32_t node) const {
    if (!can_hit(ray_)) return RaySlabs::misses;
    return slabs_.enter(tree_.box(node).min, tree_.box(node).max);
  }
  float hit_key(std::uint32_t node) const {
    TriangleHit hit{};
    const LeafTriangle& corners = tree_.triangle(node);
    if (!can_hit(ray_) || !shear_.meets(corners.a, corners.b, corners.c, hit))
      return RaySlabs::misses;
    return std::max(hit.t, enter(node));
  }
  // Where boxes of one node are put aside, the walk takes the least one first. Leaves of compressed
  // nodes come before all inner nodes, which come by their slots.
  double turn(std::uint32_t node) const {
    const std::optional<unsigned> slot = tree_.slot(node);
    if (!slot) return enter(node);
    if (tree_.is_wide_leaf(node)) return tree_.first_element(node) - 0x1p32;
    return *slot ^ slabs_.downwards();
  }

 private:
  const WalkTree& tree_;
  BoundedRay ray_;
  RaySlabs slabs_;
  RayShear shear_;
};

// Follows one walk up to an event.
class Follower {
 public:
  Follower(const WalkTree& tree, const RayTests& tests) : tree_(tree), tests_(tests) {}

  RayPosition follow(const RayWalk& walk, std::size_t executed) {
    for (const RayWalk::Visit& visit : walk.visits) {
      if (visit.event >= executed) break;
      if (visit.is_triangle)
        test_triangle(visit.node);
      else
        test_box(visit.node);
    }
    position_.boxes = static_cast<std::uint32_t>(wanted_.size());
    position_.triangles = static_cast<std::uint32_t>(triangles_.size());
    position_.has_left_wide_tree = walk.leaves_wide_tree && *walk.leaves_wide_tree < executed;
    if (!position_.has_left_wide_tree) find_path();
    if (!walk.end || *walk.end >= executed) find_pending();
    find_skipped();
    return std::move(position_);
  }

 private:
  void test_box(std::uint32_t node) {
    const std::uint32_t parent = tree_.nodes[node].parent;
    at_ = parent < tree_.nodes.size() ? parent : node;
    wanted_.try_emplace(node, enters_before_hit(node));
  }
  bool enters_before_hit(std::uint32_t node) const {
    const float key = tests_.enter(node);
    return key < RaySlabs::misses && key <= nearest_;
  }
  void test_triangle(std::uint32_t leaf) {
    at_ = leaf;
    if (triangles_.insert(leaf).second) nearest_ = std::min(nearest_, tests_.hit_key(leaf));
  }
  bool is_descended(std::uint32_t node) const {
    if (triangles_.contains(node)) return true;
    const std::vector<std::uint32_t>& children = tree_.children(node);
    return std::any_of(children.begin(), children.end(), [&](std::uint32_t child) {
      return wanted_.contains(child) || triangles_.contains(child);
    });
  }

  void find_path() {
    for (std::uint32_t i = at_; i < tree_.nodes.size(); i = tree_.nodes[i].parent)
      position_.path.push_back(i);
    std::reverse(position_.path.begin(), position_.path.end());
  }
  // The siblings of the path's nodes: those put aside last come first, the nearest one of each
  // node first.
  void find_pending() {
    for (std::size_t k = position_.path.size(); k-- > 1;) {
      std::vector<std::uint32_t> aside;
      for (const std::uint32_t sibling : tree_.children(position_.path[k - 1])) {
        const auto found = wanted_.find(sibling);
        if (sibling != position_.path[k] && found != wanted_.end() && found->second &&
            !is_descended(sibling))
          aside.push_back(sibling);
      }
      std::stable_sort(aside.begin(), aside.end(), [&](std::uint32_t a, std::uint32_t b) {
        return tests_.turn(a) < tests_.turn(b);
      });
      position_.pending.insert(position_.pending.end(), aside.begin(), aside.end());
    }
  }
  void find_skipped() {
    const auto is_in = [](const std::vector<std::uint32_t>& nodes, std::uint32_t node) {
      return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    for (const auto& [node, wanted] : wanted_)
      if (tree_.nodes[node].parent != at_ && !is_descended(node) && !is_in(position_.path, node) &&
          !is_in(position_.pending, node))
        position_.skipped.push_back(node);
  }

  const WalkTree& tree_;
  const RayTests& tests_;
  RayPosition position_;
  std::uint32_t at_ = no_tree_node;
  float nearest_ = std::numeric_limits<float>::max();
  std::map<std::uint32_t, bool> wanted_;         // nodes that were tested: entered before a hit?
  std::unordered_set<std::uint32_t> triangles_;  // leaves whose triangles were tested
};

}  // namespace

RayWalks::RayWalks(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree) {
  WalkReader(recording, arrays, tree, *this).read();
}

RayPosition position_of(const Recording& recording, const WalkArrays& arrays, const WalkTree& tree,
                        const RayWalk& walk, std::size_t executed) {
  return Follower(tree, RayTests(recording, arrays, tree, walk.ray)).follow(walk, executed);
}

}  // namespace warpview::step_views
