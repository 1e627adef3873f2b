// The arguments of a spatial hash: checks, memory sizes, and the Cells made from them. Kernels'
// modules and host code both need them, so all of it is here.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>

#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/finite.h"

namespace warpview {
namespace spatial_hash {

inline constexpr float least_length = 0x1p-60F;
inline constexpr float greatest_length = 0x1p60F;

inline std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(value));
  return text;
}

inline void check_lengths(float radius, float cell_side) {
  // Its square must be neither 0 nor infinite. A NaN fails as well.
  if (!(radius >= least_length && radius <= greatest_length))
    throw Error("a search for neighbours within a radius of " + number(radius),
                "a radius lies between 2^-60 and 2^60", "Choose such a radius");
  if (!(cell_side >= radius && cell_side <= greatest_length))
    throw Error("cells of side " + number(cell_side) + " for a radius of " + number(radius),
                "a cell is as large as the radius at least, and 2^60 at most",
                "Choose the radius as the side, or more");
}

// Cells per unit of length. The side is lengthened by a millionth, so that two coordinates whose
// difference rounds to the radius or less are certainly less than a cell apart.
inline float cells_per_unit(float radius, float cell_side) {
  check_lengths(radius, cell_side);
  const double side = cell_side * (1.0 + 0x1p-20);
  const auto per_unit = static_cast<float>(1.0 / side);
  return per_unit * side <= 1.0 ? per_unit : std::nextafter(per_unit, 0.0F);
}

// As cell_along() of gpu/primitives/spatial_hash/cells.h: the product is exact in double.
inline std::int32_t cell_along(float coordinate, float per_unit) {
  const double limit = GridCell::limit;
  const double cell = std::floor(static_cast<double>(coordinate) * static_cast<double>(per_unit));
  return static_cast<std::int32_t>(std::clamp(cell, -limit, limit - 1));
}

inline GridCell cell_at(Vec3 position, float per_unit) {
  return {cell_along(position.x, per_unit), cell_along(position.y, per_unit),
          cell_along(position.z, per_unit)};
}

inline bool is_axis(std::int32_t first, std::int32_t count) {
  return first >= -GridCell::limit && first < GridCell::limit && count >= 1 &&
         count <= GridCell::limit - first;
}

inline std::uint64_t cells_in(const GridBox& box) {
  if (!is_axis(box.first.x, box.count.x) || !is_axis(box.first.y, box.count.y) ||
      !is_axis(box.first.z, box.count.z))
    throw Error("a box of " + std::to_string(box.count.x) + " x " + std::to_string(box.count.y) +
                    " x " + std::to_string(box.count.z) + " cells from (" +
                    std::to_string(box.first.x) + ", " + std::to_string(box.first.y) + ", " +
                    std::to_string(box.first.z) + ") on",
                "it has 1 cell per axis at least, and coordinates of cells are in [-2^20, 2^20)",
                "Make the box by cell_box()");
  const auto plane = static_cast<std::uint64_t>(box.count.x) * static_cast<unsigned>(box.count.y);
  // Two factors of at most 2^21, so that nothing overflows.
  if (plane > most_cells || plane * static_cast<unsigned>(box.count.z) > most_cells)
    throw Error("a box of " + std::to_string(box.count.x) + " x " + std::to_string(box.count.y) +
                    " x " + std::to_string(box.count.z) + " cells",
                "a box has 2^28 cells at most",
                "Choose larger cells, or a variant that needs no box");
  return plane * static_cast<unsigned>(box.count.z);
}

inline void check_slots(std::uint32_t slots, std::uint32_t n, CellKind kind) {
  const std::string asked =
      "a table of " + std::to_string(slots) + " slots for " + std::to_string(n) + " particles";
  const std::string remedy = "cell_slots() gives " + std::to_string(cell_slots(n));
  if (slots < fewest_slots || slots > 1U << 30U)
    throw Error(asked, "it has 64 slots at least and 2^30 at most", remedy);
  if (kind == CellKind::table) {
    // Each particle may lie in a different cell, and a search for an absent cell ends at a free
    // slot.
    if (n > slots - slots / 32)
      throw Error(asked, "it may get full: one slot of 32 has to stay free", remedy);
  } else if (!std::has_single_bit(slots)) {
    throw Error(asked, "the number of slots is no power of two", remedy);
  }
}

// Allocates parts of the table's memory, or only adds up their bytes.
class Parts {
 public:
  explicit Parts(std::byte* memory) : memory_(memory) {}

  template <class T>
  T* take(std::size_t count) {
    std::byte* const part = memory_ ? memory_ + bytes_ : nullptr;
    bytes_ += count * sizeof(T);
    return reinterpret_cast<T*>(part);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

inline CellTable make_table(const SpatialHashArgs& args, CellKind kind, Parts& parts) {
  CellTable table;
  switch (kind) {
    case CellKind::hashed:
    case CellKind::morton:
      check_slots(args.slots, args.n, kind);
      table.ranges = parts.take<CellRange>(args.slots);
      break;
    case CellKind::box:
      table.begins = parts.take<std::uint32_t>(cells_in(args.box) + 1);
      break;
    case CellKind::table:
      check_slots(args.slots, args.n, kind);
      table.codes = parts.take<std::uint64_t>(args.slots);
      table.begins = parts.take<std::uint32_t>(std::size_t{args.slots} + 1);
      break;
    case CellKind::lists:
      check_slots(args.slots, args.n, kind);
      table.heads = parts.take<std::uint32_t>(args.slots);
      table.next = parts.take<std::uint32_t>(args.n);
      break;
    case CellKind::all:
      break;
  }
  return table;
}

}  // namespace spatial_hash

// The cells that `world` touches, for particles that stay in it. Throws Error if it is not a box,
// or the lengths are invalid.
inline GridBox cell_box(const Aabb& world, float radius, float cell_side) {
  if (!is_finite(world.min) || !is_finite(world.max) || world.min.x > world.max.x ||
      world.min.y > world.max.y || world.min.z > world.max.z)
    throw Error("a box of cells for a world without extent", "its corners are not two points",
                "Give the least and the greatest coordinates");
  const float per_unit = spatial_hash::cells_per_unit(radius, cell_side);
  const GridCell first = spatial_hash::cell_at(world.min, per_unit);
  const GridCell last = spatial_hash::cell_at(world.max, per_unit);
  return {first, {last.x - first.x + 1, last.y - first.y + 1, last.z - first.z + 1}};
}

// The bytes of SpatialHashArgs::table. Throws as cells_of() does.
inline std::size_t cell_table_bytes(const SpatialHashArgs& args, CellKind kind) {
  spatial_hash::Parts parts(nullptr);
  spatial_hash::make_table(args, kind, parts);
  return parts.bytes();
}

// Checks the arguments: Error says what is wrong with them and how to correct it. Pointers are not
// checked.
inline Cells cells_of(const SpatialHashArgs& args, CellKind kind) {
  const std::uint32_t most = kind == CellKind::all ? most_particles_for_all : most_particles;
  if (args.n > most)
    throw Error("neighbours of " + std::to_string(args.n) + " particles",
                "this variant takes " + std::to_string(most) + " at most",
                kind == CellKind::all ? "Choose another variant" : "Take fewer");
  spatial_hash::Parts parts(args.table);
  return {.kind = kind,
          .n = args.n,
          .per_unit = spatial_hash::cells_per_unit(args.radius, args.cell_side),
          .radius2 = args.radius * args.radius,
          .most_candidates = args.most_candidates,
          .slots = args.slots,
          .box = args.box,
          .table = spatial_hash::make_table(args, kind, parts),
          .positions = args.sorted_positions,
          .payload = args.sorted_payload,
          .order = args.order};
}

}  // namespace warpview
