// A bounding volume hierarchy over triangles on the device, or over boxes that lie there.
//
//   [boxes] -> bounds -> morton -> sort -> build -> refit -> [optimise] -> statistics
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/operators/bounds.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/pick.h"
#include "gpu/steps/trace_boxes.h"
#include "gpu/steps/tree.h"
#include "gpu/timeline/timeline.h"
#include "scenes/scene.h"

namespace warpview {

// How many boxes a level has, as they were written for a draw command.
Fact level_fact(std::uint32_t level, const DrawCommand& drawn);

// "Cloth: Sort" of the stage "cloth.sort", whose prefix is "cloth."; without a prefix "Sort".
std::string stage_title(const std::string& prefix, const char* title);

class Tree {
 public:
  // What it stands on, in device memory. `count` is how many of the `capacity` triangles are real.
  struct Triangles {
    const Vertex* vertices = nullptr;
    const std::uint32_t* indices = nullptr;
    const std::uint32_t* count = nullptr;
    std::uint32_t capacity = 0;
    // [capacity], empty behind the last: what the tree stands on instead of triangles. Then
    // "triangle" stands for "box" in what is said below, and there is no stage `boxes`.
    const Aabb* given = nullptr;
  };

  // Adds the stages, each name with `prefix`, as "cloth.", before it. There is a stage `optimise`
  // where `optimise_rounds` says how many rounds it has, which may be 0. The stage `build` begins
  // with the variant `initial_build`, if there is one named.
  Tree(Timeline& timeline, const Triangles& triangles, std::string prefix = "",
       std::optional<std::uint32_t> optimise_rounds = std::nullopt,
       const char* initial_build = nullptr);

  static constexpr int stages = 8;  // that rebuild() runs at most
  static std::uint64_t bytes_needed(std::uint64_t triangles);

  // Other positions of the same triangles, from the next run on. A scene's plan must say which.
  void set_vertices(const Vertex* vertices) { triangles_.vertices = vertices; }

  // Each queues only. Boxes, topology and statistics anew, or boxes and statistics alone. Stages
  // before `first` take no times: they run only where what they left is of other positions.
  void rebuild(StageId first = {});
  void refit(StageId first = {});
  void rebuild_untimed();
  // Does a choice for this stage leave the topology alone? Then rebuild() from it on does too.
  bool keeps_topology(StageId stage) const {
    return stage >= (is_optimised() ? statistics_stage_ : refit_);
  }
  StageId last_stage() const { return statistics_stage_; }
  bool is_ours(StageId stage) const {
    return stage >= to_build_.front() && stage <= statistics_stage_;
  }
  // Do bounds, codes and topology belong to the positions there are now? A frame that replays a
  // graph does one of the above without calling it: the caller that queues frames says which.
  void set_current(bool is_current) { is_current_ = is_current; }
  bool is_current() const { return is_current_; }
  // Runs one of the stages again, with what must precede and follow it. True if it is one of this
  // tree's. May wait.
  bool repeat(StageId stage);
  // Is that all that changes? Else bounds, codes and topology are made anew. Of any stage.
  bool repeats_alone(StageId stage) const {
    return !is_ours(stage) || keeps_topology(stage) || is_current_;
  }

  // What the last rebuild() or refit() took, without the statistics, as of the timeline's last
  // collect(); 0 where it took no times. `of` may be StageTimes::median, of the last frames.
  double milliseconds(double (StageTimes::*of)() const = &StageTimes::last) const;

  const Variant& builder() const { return timeline_.variant(build_); }
  // Does it fit the boxes in the same pass?
  bool build_fits() const;
  // Is it the radix tree of the codes (BuildTrait::radix)?
  bool is_radix() const;
  bool is_optimised() const { return optimise_rounds_.value_or(0) > 0; }
  int code_bits() const;  // that the Morton codes use
  int key_bits() const;   // of the numbers that hold them: 32 or 64

  // What a ray hits first, and what its walk took. Waits.
  struct Traced {
    RayHit hit;
    TraceSteps steps;
  };
  Traced trace(const BoundedRay& ray);
  // Where the leaf of a triangle is that the tree has. Waits.
  LeafPlace leaf_of(std::uint32_t triangle);
  // The Morton code of a triangle, as of the last rebuild. Waits.
  std::uint64_t code_of(std::uint32_t triangle) const;

  // In device memory. Boxes are by triangle.
  Bvh bvh() const;
  const Aabb* boxes() const { return triangles_.given ? triangles_.given : boxes_.data(); }
  const std::uint32_t* primitives() const { return primitives_.data(); }  // in Morton order
  const std::uint32_t* depth() const { return depth_.data(); }            // by node
  const void* sorted_codes() const { return sorted_codes_.data(); }       // of key_bits()
  const TreeStatistics* device_statistics() const { return statistics_.data(); }
  const std::uint32_t* count() const { return triangles_.count; }
  // As set_vertices() has set them, and their indices; null where boxes were given.
  const Vertex* vertices() const { return triangles_.vertices; }
  const std::uint32_t* indices() const { return triangles_.indices; }
  std::uint32_t capacity() const { return triangles_.capacity; }

  // As of the timeline's last collect().
  const SceneBounds& bounds() const { return *read_bounds_; }
  const TreeStatistics& statistics() const { return *read_statistics_; }
  std::uint32_t triangle_count() const { return *read_count_; }
  // The level to draw where `asked` is wanted: the deepest, if the tree has no such level.
  std::uint32_t level_for(double asked) const {
    return std::min(static_cast<std::uint32_t>(asked), statistics().max_depth);
  }

  // --- for verification: what lies on the device. Waits.
  struct Snapshot {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::vector<Aabb> boxes;
    SceneBounds bounds;
    int key_bits = 32;
    int code_bits = 30;
    std::vector<std::uint64_t> codes;  // by triangle
    std::vector<std::uint64_t> sorted_codes;
    std::vector<std::uint32_t> primitives;
    std::vector<BvhNode> nodes;
    std::vector<std::uint32_t> parent;
    std::uint32_t root = Bvh::no_node;
    TreeStatistics statistics{};
    bool is_current = true;  // bounds, codes and topology belong to these positions
    unsigned build_traits = BuildTrait::radix;  // of the builder (BuildTrait)
    unsigned optimise_traits = 0;               // of the optimiser (OptimiseTrait)
    std::uint32_t optimise_rounds = 0;

    reference::Tree tree() const;  // as the reference has it
  };
  Snapshot snapshot(std::uint32_t vertex_count) const;
  // Holds a snapshot against the same done sequentially from its vertices, indices and, stage by
  // stage, from what went before: each stage in turn, up to the first that differs. Where the tree
  // was only refitted, bounds and codes belong to positions that are gone: they are left out.
  std::vector<Check> verify(const Snapshot& snapshot) const;

 private:
  void add_stages();
  void add_optimise_stage(std::string title);
  unsigned traits() const;  // BuildTrait, of the tree as rays find it
  void run_from(StageId first, StageId stage);
  // Items of the last run, and the bytes that the variant of a stage needs for them.
  StageWork work_of(StageId stage, double item_bytes) const;

  Timeline& timeline_;
  Triangles triangles_;
  std::string prefix_;
  std::vector<StageId> to_build_;  // what rebuild() runs up to the topology, in order
  std::optional<std::uint32_t> optimise_rounds_;
  const char* initial_build_;
  StageId box_stage_{}, bounds_stage_, morton_, sort_, build_, refit_, optimise_{},
      statistics_stage_;
  Buffer<Aabb> boxes_;
  Buffer<SceneBounds> bounds_;
  Buffer<std::uint64_t> codes_, sorted_codes_;  // wide enough for either width
  Buffer<std::uint32_t> primitives_;
  Buffer<BvhNode> nodes_;
  Buffer<std::uint32_t> parent_, root_, depth_;
  Buffer<TreeStatistics> statistics_;
  Buffer<BoundedRay> ray_;
  Buffer<RayHit> hit_;
  Buffer<TraceSteps> steps_;
  Buffer<std::uint32_t> asked_;
  Buffer<LeafPlace> leaf_;
  ReadBack<SceneBounds> read_bounds_;
  ReadBack<TreeStatistics> read_statistics_;
  ReadBack<std::uint32_t> read_count_;
  bool is_current_ = true;
};

}  // namespace warpview
