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

// The primitive in a leaf.
std::uint32_t primitive_of(const Recording& recording, const WalkArrays& arrays,
                           std::uint32_t leaf) {
  return number_at<BvhNode>(recording.arrays[arrays.nodes].before,
                            std::size_t{leaf} * sizeof(BvhNode))
      .left;
}

class WalkReader {
 public:
  WalkReader(const Recording& recording, const WalkArrays& arrays, RayWalks& out)
      : recording_(recording), arrays_(arrays), out_(out) {
    out_.walk_of.resize(recording.events.size());
    out_.node_of.resize(recording.events.size());
    for (std::uint32_t i = arrays.first_leaf(); i < arrays.node_count; ++i)
      leaf_of_.emplace(primitive_of(recording, arrays, i), i);
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
    if (event.subject == arrays_.nodes) add(walk, i, event.offset / sizeof(BvhNode), false);
    if (event.subject == arrays_.leaves)
      add(walk, i, arrays_.first_leaf() + event.offset / sizeof(LeafTriangle), true);
    if (event.subject == arrays_.indices)
      if (const auto leaf = leaf_of_.find(event.offset / triangle_bytes); leaf != leaf_of_.end())
        add(walk, i, leaf->second, true);
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

  void begin(std::size_t i, const RecordedEvent& event,
             std::pair<std::uint32_t, std::uint32_t> lane) {
    const auto ray = static_cast<std::uint32_t>(event.offset / sizeof(BoundedRay));
    const auto found = walking_.find(lane);
    if (found != walking_.end() && out_.walks[found->second].ray == ray) return;
    walking_[lane] = static_cast<std::uint32_t>(out_.walks.size());
    out_.walks.push_back({.block = event.block, .thread = event.thread, .ray = ray, .begin = i});
  }

  void add(RayWalk& walk, std::size_t event, std::size_t node, bool is_triangle) {
    if (node >= arrays_.node_count) return;
    const auto number = static_cast<std::uint32_t>(node);
    out_.node_of[event] = number + 1;
    const bool goes_on = !walk.visits.empty() && walk.visits.back().node == number &&
                         walk.visits.back().is_triangle == is_triangle;
    if (!goes_on) walk.visits.push_back({event, number, is_triangle});
  }

  const Recording& recording_;
  const WalkArrays& arrays_;
  RayWalks& out_;
  std::unordered_map<std::uint32_t, std::uint32_t> leaf_of_;                  // by triangle
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> walking_;  // by block and thread
  bool traces_ = false;
};

// Repeats the tests of one ray on the host.
class RayTests {
 public:
  RayTests(const Recording& recording, const WalkArrays& arrays, std::uint32_t ray)
      : recording_(recording),
        arrays_(arrays),
        ray_(number_at<BoundedRay>(before(arrays.rays), std::size_t{ray} * sizeof(BoundedRay))),
        slabs_(ray_),
        shear_(ray_) {}

  // As gpu/primitives/trace/query.h: the key of a node, and of a leaf's triangle; infinite without
  // a hit.
  float enter(std::uint32_t node) const {
    if (!can_hit(ray_)) return RaySlabs::misses;
    const auto tested =
        number_at<BvhNode>(before(arrays_.nodes), std::size_t{node} * sizeof(BvhNode));
    return slabs_.enter(tested.min, tested.max);
  }
  float hit_key(std::uint32_t leaf) const {
    TriangleHit hit{};
    const LeafTriangle corners = triangle_of(leaf);
    if (!can_hit(ray_) || !shear_.meets(corners.a, corners.b, corners.c, hit))
      return RaySlabs::misses;
    return std::max(hit.t, enter(leaf));
  }

 private:
  const std::vector<std::uint8_t>& before(std::uint32_t array) const {
    return recording_.arrays[array].before;
  }
  LeafTriangle triangle_of(std::uint32_t leaf) const {
    if (arrays_.leaves)
      return number_at<LeafTriangle>(
          before(*arrays_.leaves), std::size_t{leaf - arrays_.first_leaf()} * sizeof(LeafTriangle));
    LeafTriangle triangle{};
    triangle.triangle = primitive_of(recording_, arrays_, leaf);
    Vec3* const corners[] = {&triangle.a, &triangle.b, &triangle.c};
    for (std::size_t k = 0; k < 3 && arrays_.indices && arrays_.vertices; ++k) {
      const auto vertex = number_at<std::uint32_t>(
          before(*arrays_.indices), std::size_t{triangle.triangle} * triangle_bytes + 4 * k);
      *corners[k] =
          number_at<Vertex>(before(*arrays_.vertices), std::size_t{vertex} * sizeof(Vertex))
              .position;
    }
    return triangle;
  }

  const Recording& recording_;
  const WalkArrays& arrays_;
  BoundedRay ray_;
  RaySlabs slabs_;
  RayShear shear_;
};

// Follows one walk up to an event.
class Follower {
 public:
  Follower(const WalkArrays& arrays, const FinishedTree& tree, const RayTests& tests)
      : arrays_(arrays), tree_(tree), tests_(tests) {}

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
    find_path();
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
    if (node >= arrays_.first_leaf()) return triangles_.contains(node);
    return wanted_.contains(tree_.nodes[node].left) || wanted_.contains(tree_.nodes[node].right);
  }

  void find_path() {
    for (std::uint32_t i = at_; i < tree_.nodes.size(); i = tree_.nodes[i].parent)
      position_.path.push_back(i);
    std::reverse(position_.path.begin(), position_.path.end());
  }
  // The siblings of the path's nodes: the one put aside last comes first.
  void find_pending() {
    for (std::size_t k = position_.path.size(); k-- > 1;) {
      const FinishedTree::Node& parent = tree_.nodes[position_.path[k - 1]];
      const std::uint32_t sibling = parent.left == position_.path[k] ? parent.right : parent.left;
      const auto found = wanted_.find(sibling);
      if (found != wanted_.end() && found->second && !is_descended(sibling))
        position_.pending.push_back(sibling);
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

  const WalkArrays& arrays_;
  const FinishedTree& tree_;
  const RayTests& tests_;
  RayPosition position_;
  std::uint32_t at_ = no_tree_node;
  float nearest_ = std::numeric_limits<float>::max();
  std::map<std::uint32_t, bool> wanted_;         // nodes that were tested: entered before a hit?
  std::unordered_set<std::uint32_t> triangles_;  // leaves whose triangles were tested
};

}  // namespace

std::optional<WalkArrays> walk_arrays(const Recording& recording) {
  if (recording.primitive != "trace") return std::nullopt;
  const auto nodes = find_array(recording, "nodes", sizeof(BvhNode));
  const auto rays = find_array(recording, "rays", sizeof(BoundedRay));
  const auto root = find_array(recording, "root", sizeof(std::uint32_t));
  if (!nodes || !rays || !root) return std::nullopt;
  // A walk of a wide tree comes to the binary one only where its stack is full.
  if (find_array(recording, "nodes4", sizeof(WideNode4)) ||
      find_array(recording, "nodes8", sizeof(WideNode8)))
    return std::nullopt;
  const std::size_t count = recording.arrays[*nodes].before.size() / sizeof(BvhNode);
  if (count % 2 == 0) return std::nullopt;
  return WalkArrays{.nodes = *nodes,
                    .rays = *rays,
                    .root = *root,
                    .leaves = find_array(recording, "leaves", sizeof(LeafTriangle)),
                    .indices = find_array(recording, "indices", sizeof(std::uint32_t)),
                    .vertices = find_array(recording, "vertices", sizeof(Vertex)),
                    .hits = find_array(recording, "hits", sizeof(RayHit)),
                    .any = find_array(recording, "any", sizeof(std::uint32_t)),
                    .node_count = static_cast<std::uint32_t>(count)};
}

RayWalks::RayWalks(const Recording& recording, const WalkArrays& arrays) {
  WalkReader(recording, arrays, *this).read();
}

RayPosition position_of(const Recording& recording, const WalkArrays& arrays,
                        const FinishedTree& tree, const RayWalk& walk, std::size_t executed) {
  return Follower(arrays, tree, RayTests(recording, arrays, walk.ray)).follow(walk, executed);
}

}  // namespace warpview::step_views
