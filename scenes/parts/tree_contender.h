// One of several trees over the same triangles, with the rays that are traced through it: what it
// takes to keep it up to date, and what it saves the rays.
//
//   [triangles] -> boxes -> bounds -> morton -> sort -> build -> refit -> optimise -> statistics ->
//   leaves -> collapse -> [overlap] -> trace -> count
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/steps/rays.h"
#include "gpu/timeline/timeline.h"
#include "scenes/budget.h"
#include "scenes/parts/rays_overlap.h"
#include "scenes/parts/traced_tree.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

// Rays, and where all contenders in turn leave what the rays hit: in device memory.
struct ContenderRays {
  const BoundedRay* rays = nullptr;  // [n]
  std::uint32_t n = 0;               // a multiple of rays_of_group
  RayHit* hits = nullptr;            // [n]
  TraceSteps* steps = nullptr;       // [n]

  // For the nearest hits, without counting steps.
  TraceArgs args() const {
    TraceArgs args;
    args.rays = rays;
    args.n = n;
    args.hits = hits;
    return args;
  }
};

struct ContenderSetup {
  std::string group;  // "a": of its facts, and before the dot of its stages' names
  const char* build = nullptr;
  std::uint32_t optimise_rounds = 0;
  bool measures_overlap = false;
};

class TreeContender {
 public:
  // Adds the stages. The triangles are those of Tree::Triangles, without given boxes.
  TreeContender(Timeline& timeline, const Tree::Triangles& triangles, const ContenderRays& rays,
                const ContenderSetup& setup);
  TreeContender(const TreeContender&) = delete;  // its stages refer to it
  TreeContender& operator=(const TreeContender&) = delete;

  static constexpr int stages = Tree::stages + TracedTree::stages + 3;
  static std::uint64_t bytes_needed(std::uint64_t triangles) {
    return Tree::bytes_needed(triangles) + TracedTree::bytes_needed(triangles);
  }

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  const std::string& group() const { return group_; }
  bool is_ours(StageId stage) const { return stage >= first_ && stage <= count_; }

  // Builds the tree and traces the rays, from the stage `first` on. An earlier stage runs only
  // where its result is gone. May wait, to make room.
  void compute(StageId first = {});
  void compute_untimed();
  // In frames. Queues only.
  void update(bool refits);
  // Runs a stage of it again, with what must precede and follow it. May wait.
  void repeat(StageId stage);

  // By the median times of the frames up to the last collect(). `refits`: does each frame refit the
  // tree, or build it?
  Contender contender(bool refits) const;
  std::vector<Fact> facts(bool refits) const;

  // Each stage against the same done sequentially. Spoils and runs the rays' stages again. Waits.
  std::vector<Check> verify(const Tree::Snapshot& snapshot);

 private:
  void add_ray_stages();
  std::vector<VariantId> tracers() const { return {timeline_.chosen(trace_).value()}; }
  std::string check_rays(const Tree::Snapshot& snapshot);

  Timeline& timeline_;
  std::string group_, prefix_;
  std::uint32_t optimise_rounds_;
  ContenderRays rays_;
  Tree tree_;
  StageId first_{};
  TracedTree traced_;
  std::optional<RaysOverlap> overlap_;
  StageId trace_{}, count_{};
  Buffer<RayCounts> counts_;
  ReadBack<RayCounts> read_counts_;
};

}  // namespace warpview
