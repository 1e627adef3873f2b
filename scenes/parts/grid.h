// Particles in the cells of a grid: their order, and what a search for neighbours needs.
//
//   cells (with a sort or a scan of the catalogue inside it)
#pragma once

#include <cstdint>
#include <string>

#include "gpu/primitives/spatial_hash/arguments.h"
#include "gpu/runtime/buffer.h"
#include "gpu/timeline/timeline.h"

namespace warpview {

class Grid {
 public:
  struct Particles {
    const Vec4* positions = nullptr;  // [n], in device memory
    const Vec4* payload = nullptr;    // [n]
    std::uint32_t n = 0;
  };
  struct Space {
    float radius = 0.0F;     // of the search
    float cell_side = 0.0F;  // at least the radius
    Aabb world;              // for variants that need a box of cells
  };

  // Adds the stages, each name with `prefix` before it; `variant` of spatial_hash is what it begins
  // with. Memory is taken for whatever variant may be chosen.
  Grid(Timeline& timeline, const Particles& particles, const Space& space, const char* variant,
       const std::string& prefix = "");

  static std::uint64_t bytes_needed(std::uint32_t n, const Space& space);

  // Orders the particles. Queues only.
  void run() { timeline_.run(cells_stage_); }

  // What the variant that is chosen leaves; to be asked anew when variants are chosen.
  Cells cells() const { return cells_of(args(), kind()); }
  CellKind kind() const { return cell_kind(timeline_.variant(cells_stage_).traits); }
  // Is the order the same in every run?
  bool keeps_order() const {
    return timeline_.variant(cells_stage_).determinism == Determinism::same_bits;
  }
  // By place, in device memory.
  Vec4* positions() const { return positions_.data(); }
  Vec4* payload() const { return payload_.data(); }
  // What cells are looked up in: slots of a table or cells of a box; 0: nothing.
  std::uint64_t slots() const;

  StageId stage() const { return cells_stage_; }
  bool is_ours(StageId stage) const {
    return stage == cells_stage_ || stage == sort_ || stage == scan_;
  }

 private:
  SpatialHashArgs args() const;

  Timeline& timeline_;
  Particles particles_;
  Space space_;
  GridBox box_{};
  bool has_box_ = true;  // is the world small enough for one?
  StageId cells_stage_, sort_, scan_;
  Buffer<std::uint32_t> order_;
  Buffer<Vec4> positions_, payload_;
  Buffer<std::byte> table_;
};

}  // namespace warpview
