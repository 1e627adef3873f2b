// The search for neighbours that all variants share, for kernels.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010 (the CUDA sample particles): one
//   thread per particle, which searches the 27 cells around it.
//
// The kind of table is known at compile time, so the only test per candidate is whether it is near.
// A kernel has the kind as a template parameter, and its host function launches the one for the
// cells' kind:
//
//   template <CellKind kind>
//   __global__ void push_kernel(Cells cells, Vec3* forces) {
//     const std::uint32_t place = global_thread();
//     if (place >= cells.n) return;
//     const Vec3 here = cells.positions[place].xyz;
//     Vec3 force{};
//     spatial::for_each_neighbour<kind>(
//         cells, here, place, [&](std::uint32_t other, const Separation& apart) {
//           force = force + push(apart, cells.payload[other]);
//         });
//     forces[place] = force;
//   }
//
//   spatial::with_kind(cells.kind, [&](auto kind) {
//     launch(stream, KERNEL(push_kernel<kind>), one_thread_each(cells.n), cells, forces);
//   });
#pragma once

#include "gpu/operators/load_whole.h"
#include "gpu/primitives/spatial_hash/cells.h"
#include "gpu/primitives/spatial_hash/within.h"

namespace warpview::WARPVIEW_BACKEND::spatial {

enum class Stencil {
  full,  // 27 cells: each of two neighbours visits the other
  // 14 cells, the particle's own and those after it in z, y, x: each pair is visited once. In the
  // own cell the particle with the lower place visits the other.
  half
};

// The number of candidates that a search tests.
enum class Looks {
  limited,  // cells.most_candidates
  at_all    // all of them: the search then does not count, which saves several percent
};

// The range of a cell, for kinds that have ranges of single cells.
template <CellKind kind>
__device__ CellRange range_of(const Cells& cells, GridCell cell) {
  if constexpr (kind == CellKind::table) {
    const std::uint32_t slot =
        hash::find(CellEntry{cells.table.codes, cells.slots, code_of(cell), false});
    if (slot == cells.slots) return {0, 0};
    return {cells.table.begins[slot], cells.table.begins[slot + 1]};
  } else {
    return cells.table.ranges[key_of<kind>(cell, cells.slots)];
  }
}

// One search: the candidates it has tested, and the next ones.
template <Looks looks, class Visit>
struct Search {
  const Cells& cells;
  Vec3 position;
  std::uint32_t self;
  const Visit& visit;
  std::uint32_t left = looks == Looks::limited ? cells.most_candidates : ~std::uint32_t{0};
  bool complete = true;

  __device__ void test(std::uint32_t place) {
    const Separation apart = separation(position, load_whole(&cells.positions[place]).xyz);
    if (within(apart, cells.radius2) && place != self) visit(place, apart);
  }
  __device__ void test_range(CellRange range) {
    if constexpr (looks == Looks::limited) {
      const std::uint32_t length = range.end > range.begin ? range.end - range.begin : 0;
      const std::uint32_t taken = length < left ? length : left;
      complete = complete && taken == length;
      left -= taken;
      range.end = range.begin + taken;
    }
    // Ranges are short: unrolling costs more than it gains.
#pragma unroll 1
    for (std::uint32_t place = range.begin; place < range.end; ++place) test(place);
  }
  // Visits a cell's list; in the particle's own cell, from after the particle.
  template <CellKind kind>
  __device__ void test_list(GridCell cell, bool is_own) {
    std::uint32_t place = cells.table.heads[key_of<kind>(cell, cells.slots)];
    for (; place < cells.n && left > 0; place = cells.table.next[place]) {
      if constexpr (looks == Looks::limited) --left;
      if (!is_own || place > self) test(place);
    }
    complete = complete && place >= cells.n;
  }
};

// Searches around a cell of a box: nine rows of three consecutive cells, so each row is one range.
// Cells outside the box are empty.
template <bool half, class Searching>
__device__ void search_box(Searching& search, GridCell centre) {
  const Cells& cells = search.cells;
  const GridBox& box = cells.box;
  const auto first_of = [](std::int32_t c) { return c > 0 ? c - 1 : 0; };
  const auto last_of = [](std::int32_t c, std::int32_t count) {
    return c + 1 < count ? c + 1 : count - 1;
  };
  const GridCell at = {centre.x - box.first.x, centre.y - box.first.y, centre.z - box.first.z};
  const std::int32_t first_x = first_of(at.x);
  const std::int32_t width = last_of(at.x, box.count.x) + 1 - first_x;
  const std::int32_t last_z = last_of(at.z, box.count.z);
#pragma unroll 1
  for (std::int32_t z = half ? at.z : first_of(at.z); z <= last_z; ++z) {
    // The look-ups of a layer's three rows are in flight together; the middle row replaces absent
    // ones. In its own layer a half stencil has the rows after the particle's, and the particle's
    // own row from after the particle.
    const bool is_own = half && z == at.z;
    CellRange rows[3];
    UNROLL
    for (std::int32_t i = 0; i < 3; ++i) {
      const std::int32_t y = at.y - 1 + i;
      const bool exists = i == 1 || (y >= 0 && y < box.count.y && !(is_own && i == 0));
      const std::uint32_t* const row =
          cells.table.begins + static_cast<std::uint32_t>(
                                   (z * box.count.y + (exists ? y : at.y)) * box.count.x + first_x);
      const CellRange range = {is_own && i == 1 ? search.self + 1 : row[0], row[width]};
      rows[i] = exists ? range : CellRange{0, 0};
    }
    UNROLL
    for (const CellRange& range : rows) search.test_range(range);
  }
}

// Searches around a cell of a table, row by row.
template <CellKind kind, bool half, class Searching>
__device__ void search_table(Searching& search, GridCell centre) {
  for (std::int32_t dz = half ? 0 : -1; dz <= 1; ++dz)
    for (std::int32_t dy = half && dz == 0 ? 0 : -1; dy <= 1; ++dy) {
      // A half stencil's own row begins in the own cell, after the particle.
      const bool from_self = half && dz == 0 && dy == 0;
      const GridCell first = {centre.x - (from_self ? 0 : 1), centre.y + dy, centre.z + dz};
      if constexpr (kind == CellKind::lists) {
        for (GridCell cell = first; cell.x <= centre.x + 1; ++cell.x)
          search.template test_list<kind>(cell, from_self && cell.x == centre.x);
      } else {
        // The three look-ups are in flight together.
        CellRange row[3];
        UNROLL
        for (std::int32_t i = 0; i < 3; ++i)
          row[i] = range_of<kind>(search.cells, {centre.x - 1 + i, first.y, first.z});
        if (from_self) {
          row[0] = {0, 0};
          row[1].begin = search.self + 1;
        }
        UNROLL
        for (const CellRange& range : row) search.test_range(range);
      }
    }
}

// Calls visit(place, separation) for every neighbour of the particle in place `self`, which lies at
// `position`; the separation is the vector from it to its neighbour. A particle with a coordinate
// that is not finite has no neighbours. Positions and table must not be written during the launch.
//
// Returns false if there were more than cells.most_candidates candidates: the rest was left out.
// Which ones follows from the order of the places, so it is reproducible where that is. Of two
// neighbours one may then visit the other, and not be visited.
template <CellKind kind, Stencil stencil = Stencil::full, Looks looks = Looks::limited, class Visit>
__device__ bool for_each_neighbour(const Cells& cells, Vec3 position, std::uint32_t self,
                                   const Visit& visit) {
  constexpr bool half = stencil == Stencil::half;
  Search<looks, Visit> search{cells, position, self, visit};
  if constexpr (kind == CellKind::all) {
    search.test_range({half ? self + 1 : 0, cells.n});
  } else {
    const GridCell cell = cell_of(position, cells.per_unit);
    if (is_nowhere(cell)) return true;
    if constexpr (kind == CellKind::box)
      search_box<half>(search, clamped(cell, cells.box));
    else
      search_table<kind, half>(search, cell);
  }
  return search.complete;
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
