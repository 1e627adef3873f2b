// The wide trees that the chosen tracers walk, made from a binary tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/primitives/collapse/wide_memory.h"
#include "gpu/timeline/timeline.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

class RaysWide {
 public:
  // Adds the stage `collapse`, its name with `prefix` before it. `tree` and `leaves`, which are in
  // the order of its leaves, outlive it.
  RaysWide(Timeline& timeline, const Tree& tree, const Buffer<LeafTriangle>& leaves,
           const std::string& prefix = "");

  static std::uint64_t bytes_needed(std::uint64_t triangles);

  StageId stage() const { return stage_; }
  // Will the stage make what these variants of trace walk, without more memory?
  bool has_room_for(const std::vector<VariantId>& tracers) const;
  // Does it keep trees that none of them walks?
  bool has_more_than(const std::vector<VariantId>& tracers) const;
  // Memory for what these variants walk, and for nothing else. The device is done with it.
  void make_room_for(const std::vector<VariantId>& tracers);
  // What the variant of trace walks; of no nodes where it walks the binary tree.
  WideTree tree_of(VariantId tracer) const;

  // Each tree against the binary one; nothing where there is none. Waits.
  std::vector<Check> verify(const Tree::Snapshot& tree, const std::vector<LeafTriangle>& leaves);

 private:
  void queue(const StageRun& run);

  Timeline& timeline_;
  const Tree& tree_;
  const Buffer<LeafTriangle>& leaves_;
  std::string prefix_;
  StageId stage_{};
  std::map<VariantId, WideMemory> made_;  // by variant of collapse
};

}  // namespace warpview
