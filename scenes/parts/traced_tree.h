// A tree as rays walk it: the corners of its triangles in the order of its leaves, and the wide
// trees that the chosen tracers walk.
//
//   [tree] -> leaves -> collapse
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/buffer.h"
#include "gpu/timeline/timeline.h"
#include "scenes/parts/rays_wide.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

class TracedTree {
 public:
  // Adds the stages, each name with `prefix` before it. The tree has no boxes that were given, and
  // outlives this.
  TracedTree(Timeline& timeline, const Tree& tree, const std::string& prefix = "");

  static constexpr int stages = 2;
  static std::uint64_t bytes_needed(std::uint64_t triangles);

  const Buffer<LeafTriangle>& leaves() const { return leaves_; }

  // After Tree::rebuild(first): what the variants of trace need, where they are chosen from `first`
  // on. May wait, to make room for what was not needed before.
  void compute(StageId first, const std::vector<VariantId>& tracers);
  // Makes what the variants need and is not there; before Tree::repeat(). Waits.
  void prepare_for(const std::vector<VariantId>& tracers);
  // In frames: after Tree::rebuild() or Tree::refit(). Queues only.
  void renew();
  void renew_untimed();
  // What renew() took as of the timeline's last collect(); `of` as of Tree::milliseconds().
  double milliseconds(double (StageTimes::*of)() const) const;

  // Traces by this variant. `args` has rays and results; the rest is set here. While measuring
  // `args.n` is the most rays that there may be.
  void trace(const StageRun& run, VariantId tracer, TraceArgs args) const;
  // Why a variant cannot trace so many rays; empty where it can.
  static std::string why_not_traced(VariantId tracer, std::uint32_t rays);

  // Leaves and wide trees, against the tree's. Waits.
  std::vector<Check> verify(const Tree::Snapshot& tree);

 private:
  bool make_room_for(const std::vector<VariantId>& tracers);

  Timeline& timeline_;
  const Tree& tree_;
  std::string prefix_;
  Buffer<LeafTriangle> leaves_;
  StageId leaf_stage_{};
  RaysWide wide_;
};

}  // namespace warpview
