// Particles in the cells of a grid: searching 27 cells finds all particles near a place.
//
// A cell is a cube; cell (x, y, z) holds the particles in [x, x + 1) * [y, y + 1) * [z, z + 1),
// measured in cells from the origin. Its side is at least the radius of the search, so everything
// within the radius of a particle lies in its own cell or in the 26 around it. A variant of this
// primitive sorts the particles by cell and builds the table in which cells are looked up. The
// search itself is shared: gpu/primitives/spatial_hash/neighbours.h, for kernels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// How the particles of a cell are found: the difference between the variants for a search, and
// their traits in gpu/catalogue.def.
enum class CellKind : unsigned {
  hashed,  // the cell's hash is the index of a range of places; cells may share one
  morton,  // as hashed, by the low bits of the cell's Morton code
  box,     // the cell's index in a box of cells is the index of its range
  table,   // the cell is looked up in a hash table with linear probing, which has its range
  lists,   // the cell's hash is the index of a linked list; cells may share one
  all      // no cells: every particle is tested
};
constexpr CellKind cell_kind(unsigned traits) { return static_cast<CellKind>(traits); }

// Only these need SpatialHashArgs::box; for the others the world is unbounded.
constexpr bool needs_box(CellKind kind) { return kind == CellKind::box; }

struct GridCell {
  // Coordinates are in [-limit, limit). Particles farther out count as in the outermost cell: they
  // are found as well, but many share that cell.
  static constexpr std::int32_t limit = 1 << 20;

  std::int32_t x, y, z;
};

// count.x * count.y * count.z cells from `first` on.
struct GridBox {
  GridCell first{0, 0, 0};
  GridCell count{0, 0, 0};
};

// Places [begin, end). 8 bytes: one load.
struct alignas(8) CellRange {
  std::uint32_t begin, end;
};

// The table in which cells are looked up: caller's memory, with these parts for each kind.
struct CellTable {
  CellRange* ranges = nullptr;      // hashed, morton: [slots]
  std::uint64_t* codes = nullptr;   // table: [slots], the cell that has the slot
  std::uint32_t* begins = nullptr;  // box: [cells + 1], table: [slots + 1]; a range ends where the
                                    // next one begins
  std::uint32_t* heads = nullptr;   // lists: [slots], a particle of the slot, or n or more for none
  std::uint32_t* next = nullptr;    // lists: [n], the next particle in the slot; n or more for none
};

// `positions` hold coordinates and one more number per particle, which is carried along unread. So
// is `payload`, 16 more bytes per particle (such as velocities), null where there are none.
//
// A particle with a coordinate that is not finite lies in no cell and has no neighbours. It still
// gets a place.
struct SpatialHashArgs {
  const Vec4* positions = nullptr;  // [n]
  const Vec4* payload = nullptr;    // [n] or null
  std::uint32_t n = 0;              // at most most_particles; `all`: most_particles_for_all

  float radius = 0.0F;     // of the search: 2^-60 to 2^60
  float cell_side = 0.0F;  // at least the radius, at most 2^60
  // hashed, morton, lists: a power of two. Fewer slots than occupied cells make cells share slots,
  // which costs time. table: any number, with a load factor of at most 31/32. At least
  // fewest_slots, at most 2^30; cell_slots() suits all kinds.
  std::uint32_t slots = 0;
  // box: at least 1 cell, at most most_cells. Particles outside count as in the nearest cell of the
  // box: they are found as well, but slowly if they are many.
  GridBox box{};
  // The most candidates that one search tests. Where thousands of particles lie in one spot, each
  // of their searches would test all of them; see for_each_neighbour().
  std::uint32_t most_candidates = ~std::uint32_t{0};

  SortFunction* sort = nullptr;  // for variants that sort (the library has its own)
  ScanFunction* scan = nullptr;  // for variants that count

  // Particles get places. Particles of a cell are adjacent, except with `lists` and `all`, which do
  // not move them. All memory is the caller's; nothing overlaps.
  std::uint32_t* order = nullptr;    // [n]: the particle of each place
  Vec4* sorted_positions = nullptr;  // [n], by place
  Vec4* sorted_payload = nullptr;    // [n], by place; null where there is no payload
  std::byte* table = nullptr;        // [cell_table_bytes()], 8-byte aligned
};

inline constexpr std::uint32_t most_particles = 1U << 28U;
inline constexpr std::uint32_t most_particles_for_all = 1U << 13U;
inline constexpr std::uint32_t fewest_slots = 64;
inline constexpr std::uint32_t most_cells = 1U << 28U;

// Slots for n particles: a power of two, between two and four times as many.
constexpr std::uint32_t cell_slots(std::uint32_t n) {
  return std::bit_ceil(2 * (n < fewest_slots / 2 ? fewest_slots / 2 : n));
}

// The arguments of a search, passed by value to its kernel. cells_of()
// (gpu/primitives/spatial_hash/arguments.h) makes it from the arguments; it is valid once a variant
// of that kind has run. It depends only on the arguments: it can be made earlier, and stays valid
// while variants run again with the same arguments.
struct Cells {
  CellKind kind = CellKind::all;
  std::uint32_t n = 0;
  float per_unit = 0.0F;  // cells per unit of length
  float radius2 = 0.0F;   // radius * radius
  std::uint32_t most_candidates = 0;
  std::uint32_t slots = 0;
  GridBox box{};
  CellTable table{};
  const Vec4* positions = nullptr;  // by place, like the following
  const Vec4* payload = nullptr;
  const std::uint32_t* order = nullptr;
};

}  // namespace warpview
