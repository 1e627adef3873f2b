// The search for neighbours: what all variants share, for kernels.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010 (the CUDA sample particles): one
//   thread per particle, which looks at the 27 cells around it.
//
// What the cells are looked up in is known when the kernel is compiled, so nothing is asked a
// candidate but whether it is near. A kernel has the kind as a template parameter, and its host
// function launches the one that is wanted:
//
//   template <CellKind kind>
//   __global__ void push_kernel(Cells cells, Vec3* forces) {
//     const std::uint32_t place = global_thread();
//     if (place >= cells.n) return;
//     const Vec3 here = cells.positions[place].xyz;
//     Vec3 force{};
//     spatial::for_each_neighbour<kind>(cells, here, place, [&](std::uint32_t other, Vec4 there) {
//       force = force + push(here - there.xyz, cells.payload[other]);
//     });
//     forces[place] = force;
//   }
//
//   spatial::with_kind(cells.kind, [&](auto kind) {
//     launch(stream, KERNEL(push_kernel<kind>), one_thread_each(cells.n), cells, forces);
//   });
#pragma once

#include "gpu/primitives/spatial_hash/cells.h"
#include "gpu/primitives/spatial_hash/within.h"

namespace warpview::WARPVIEW_BACKEND::spatial {

enum class Stencil {
  full,  // 27 cells: each of two neighbours meets the other
  // 14 cells, the own one and those after it in z, y, x: a pair meets once. In the own cell the
  // particle with the lower place meets the other.
  half
};

// The range of a cell, for kinds that have ranges of single cells.
template <CellKind kind>
__device__ CellRange range_of(const Cells& cells, GridCell cell) {
  if constexpr (kind == CellKind::table) {
    const std::uint64_t code = code_of(cell);
    std::uint32_t slot = home_of(code, cells.slots);
    for (std::uint32_t looks = 0; looks < cells.slots; ++looks) {
      const std::uint64_t held = cells.table.codes[slot];
      if (held == code) return {cells.table.begins[slot], cells.table.begins[slot + 1]};
      if (held == free_slot) break;
      slot = slot + 1 < cells.slots ? slot + 1 : 0;
    }
    return {0, 0};
  } else {
    return cells.table.ranges[key_of<kind>(cell, cells.slots)];
  }
}

// Calls visit(place, cells.positions[place]) for every neighbour of the particle in place `self`,
// which lies at `position`. Whoever has a coordinate that is not finite has no neighbours.
//
// False if there were more than cells.most_candidates to look at: those beyond were left out. Who
// they are follows from the order of the places, so it is the same in every run where that is; of
// two neighbours one may meet the other, and not be met.
template <CellKind kind, Stencil stencil = Stencil::full, class Visit>
__device__ bool for_each_neighbour(const Cells& cells, Vec3 position, std::uint32_t self,
                                   const Visit& visit) {
  constexpr bool half = stencil == Stencil::half;
  std::uint32_t left = cells.most_candidates;
  bool complete = true;

  const auto meet = [&](std::uint32_t place, const Vec4& other) {
    if (within(position, other.xyz, cells.radius2) && place != self) visit(place, other);
  };
  const auto meet_range = [&](CellRange range) {
    const std::uint32_t length = range.end > range.begin ? range.end - range.begin : 0;
    const std::uint32_t taken = length < left ? length : left;
    complete = complete && taken == length;
    left -= taken;
    for (std::uint32_t place = range.begin; place < range.begin + taken; ++place)
      meet(place, cells.positions[place]);
  };

  if constexpr (kind == CellKind::all) {
    meet_range({half ? self + 1 : 0, cells.n});
    return complete;
  } else {
    const GridCell any = cell_of(position, cells.per_unit);
    if (is_nowhere(any)) return true;
    const GridCell centre = kind == CellKind::box ? clamped(any, cells.box) : any;
    if constexpr (kind == CellKind::box) {
      // Nine rows of three cells that lie one behind the other, so each row is one range. What of
      // them is outside the box holds nobody.
      const GridBox& box = cells.box;
      const auto at_least_0 = [](std::int32_t c) { return c < 0 ? 0 : c; };
      const std::int32_t x = centre.x - box.first.x;
      const std::int32_t first_x = at_least_0(x - 1);
      const std::int32_t last_x = x + 1 < box.count.x ? x + 1 : x;
      for (std::int32_t dz = half ? 0 : -1; dz <= 1; ++dz)
        for (std::int32_t dy = half && dz == 0 ? 0 : -1; dy <= 1; ++dy) {
          const std::int32_t y = centre.y - box.first.y + dy;
          const std::int32_t z = centre.z - box.first.z + dz;
          if (y < 0 || y >= box.count.y || z < 0 || z >= box.count.z) continue;
          const std::uint32_t* const row =
              cells.table.begins + static_cast<std::uint32_t>((z * box.count.y + y) * box.count.x);
          // A half stencil's own row begins behind the particle.
          const bool from_self = half && dz == 0 && dy == 0;
          meet_range({from_self ? self + 1 : row[first_x], row[last_x + 1]});
        }
    } else {
      for (std::int32_t dz = half ? 0 : -1; dz <= 1; ++dz)
        for (std::int32_t dy = half && dz == 0 ? 0 : -1; dy <= 1; ++dy) {
          // A half stencil's own row begins in the own cell, behind the particle.
          const bool from_self = half && dz == 0 && dy == 0;
          const GridCell first = {centre.x - (from_self ? 0 : 1), centre.y + dy, centre.z + dz};
          if constexpr (kind == CellKind::lists) {
            for (GridCell cell = first; cell.x <= centre.x + 1; ++cell.x) {
              const bool is_own = from_self && cell.x == centre.x;
              std::uint32_t place = cells.table.heads[key_of<kind>(cell, cells.slots)];
              for (; place < cells.n && left > 0; place = cells.table.next[place], --left)
                if (!is_own || place > self) meet(place, cells.positions[place]);
              complete = complete && place >= cells.n;
            }
          } else {
            // The three look-ups are under way together.
            CellRange row[3];
            UNROLL
            for (std::int32_t i = 0; i < 3; ++i)
              row[i] = range_of<kind>(cells, {centre.x - 1 + i, first.y, first.z});
            if (from_self) {
              row[0] = {0, 0};
              row[1].begin = self + 1;
            }
            UNROLL
            for (const CellRange& range : row) meet_range(range);
          }
        }
    }
    return complete;
  }
}

// Calls use(kind) with the kind as a compile-time constant. Host code.
template <class Use>
void with_kind(CellKind kind, const Use& use) {
  const auto call = [&use](auto constant) { use(constant); };
  switch (kind) {
    case CellKind::hashed:
      return call(std::integral_constant<CellKind, CellKind::hashed>{});
    case CellKind::morton:
      return call(std::integral_constant<CellKind, CellKind::morton>{});
    case CellKind::box:
      return call(std::integral_constant<CellKind, CellKind::box>{});
    case CellKind::table:
      return call(std::integral_constant<CellKind, CellKind::table>{});
    case CellKind::lists:
      return call(std::integral_constant<CellKind, CellKind::lists>{});
    case CellKind::all:
      return call(std::integral_constant<CellKind, CellKind::all>{});
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::spatial
