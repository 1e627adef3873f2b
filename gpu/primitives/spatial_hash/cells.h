// From a position to its cell, and from a cell to its key.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/primitives/hash_map/linear.h"
#include "gpu/primitives/hash_map/table.h"
#include "gpu/primitives/morton/expand.h"
#include "gpu/primitives/spatial_hash/arguments.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::spatial {

// The cell of a particle that is in no cell: no position has these coordinates, and they are no
// neighbour of a cell.
inline constexpr std::int32_t nowhere = -4 * GridCell::limit;

__device__ inline bool is_nowhere(GridCell cell) { return cell.x == nowhere; }

// floor(coordinate * per_unit), without the error of a rounded product. A product that was rounded
// up may have reached the next whole number; then the remainder is negative, which a fused
// multiply-add computes exactly. Coordinates less than a cell apart are thus in the same cell or in
// neighbours, however far from the origin.
__device__ inline std::int32_t cell_along(float coordinate, float per_unit) {
  constexpr auto limit = static_cast<float>(GridCell::limit);
  float cell = floorf(coordinate * per_unit);
  if (fmaf(coordinate, per_unit, -cell) < 0.0F) cell -= 1.0F;
  return static_cast<std::int32_t>(min_of(max_of(cell, -limit), limit - 1.0F));
}

__device__ inline GridCell cell_of(Vec3 position, float per_unit) {
  constexpr float largest = 3.402823466e38F;
  const bool is_finite =
      fabsf(position.x) <= largest && fabsf(position.y) <= largest && fabsf(position.z) <= largest;
  if (!is_finite) return {nowhere, nowhere, nowhere};
  return {cell_along(position.x, per_unit), cell_along(position.y, per_unit),
          cell_along(position.z, per_unit)};
}

// --- keys: hashed, morton, lists
//
// There are many cells and few slots, so cells share keys. That is harmless where they are far
// apart: particles of a distant cell are beyond the radius. But if two of the 27 cells of one
// search shared a key, it would visit their particles twice. Keys therefore keep the lowest two
// bits of each coordinate: they differ between neighbouring cells, whatever the rest is.

// The hash of M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross, "Optimized Spatial
// Hashing for Collision Detection of Deformable Objects", 2003, for blocks of 4 x 4 x 4 cells. Its
// low bits would take few different values in a grid, so they are mixed once more. The cells of a
// block have consecutive keys.
__device__ inline std::uint32_t hashed_key(GridCell cell, std::uint32_t slots) {
  const auto bits = [](std::int32_t coordinate) { return static_cast<std::uint32_t>(coordinate); };
  const std::uint32_t block =
      bits(cell.x >> 2) * 73856093U ^ bits(cell.y >> 2) * 19349663U ^ bits(cell.z >> 2) * 83492791U;
  const std::uint32_t in_block =
      (bits(cell.z) & 3U) << 4U | (bits(cell.y) & 3U) << 2U | (bits(cell.x) & 3U);
  return (hash::mix(block) << 6U | in_block) & (slots - 1);
}

// The lowest bits of the Morton code: the grid repeats after about the cube root of `slots` cells
// per axis.
__device__ inline std::uint32_t morton_key(GridCell cell, std::uint32_t slots) {
  const auto spread = [](std::int32_t coordinate) {
    return morton::spread10(static_cast<std::uint32_t>(coordinate) & 1023U);
  };
  return (spread(cell.z) << 2U | spread(cell.y) << 1U | spread(cell.x)) & (slots - 1);
}

template <CellKind kind>
__device__ std::uint32_t key_of(GridCell cell, std::uint32_t slots) {
  static_assert(kind == CellKind::hashed || kind == CellKind::morton || kind == CellKind::lists);
  if constexpr (kind == CellKind::morton)
    return morton_key(cell, slots);
  else
    return hashed_key(cell, slots);
}

// --- the index in a box

// The cell of the box that is nearest to a cell. Neighbours stay neighbours.
__device__ inline GridCell clamped(GridCell cell, const GridBox& box) {
  const auto clamp = [](std::int32_t c, std::int32_t first, std::int32_t count) {
    const std::int32_t last = first + count - 1;
    return c < first ? first : c > last ? last : c;
  };
  return {clamp(cell.x, box.first.x, box.count.x), clamp(cell.y, box.first.y, box.count.y),
          clamp(cell.z, box.first.z, box.count.z)};
}

// The index of a cell of the box: cells along x have consecutive indices.
__device__ inline std::uint32_t number_of(GridCell cell, const GridBox& box) {
  const std::int32_t row = (cell.z - box.first.z) * box.count.y + (cell.y - box.first.y);
  return static_cast<std::uint32_t>(row * box.count.x + (cell.x - box.first.x));
}

__device__ inline std::uint32_t cells_in(const GridBox& box) {
  return static_cast<std::uint32_t>(box.count.x * box.count.y * box.count.z);
}

// --- the code in a hash table

inline constexpr std::uint64_t free_slot = 0;

// 21 bits per coordinate and one bit that is always set: cells have distinct codes, and none is
// that of a free slot.
__device__ inline std::uint64_t code_of(GridCell cell) {
  const auto bits = [](std::int32_t coordinate) {
    return static_cast<std::uint64_t>(coordinate) & ((1U << 21U) - 1);
  };
  return std::uint64_t{1} << 63U | bits(cell.z) << 42U | bits(cell.y) << 21U | bits(cell.x);
}

__device__ inline std::uint32_t home_of(std::uint64_t code, std::uint32_t slots) {
  return hash::home(hash::mix(code), slots);
}

// A cell's code in the form of an entry for the probing (gpu/primitives/hash_map/linear.h). A slot
// goes from free to a code once, so a cell has one slot.
struct CellEntry {
  using Held = std::uint64_t;

  std::uint64_t* codes;
  std::uint32_t slots;
  std::uint64_t code;
  bool changing;  // other threads may write meanwhile

  __device__ std::uint32_t home(std::uint32_t places) const { return home_of(code, places); }
  __device__ Held look(std::uint32_t slot) const {
    return changing ? load_relaxed(&codes[slot]) : codes[slot];
  }
  __device__ bool is_empty(Held held) const { return held == free_slot; }
  __device__ bool is_same(Held held) const { return held == code; }
  __device__ Held claim(std::uint32_t slot) const {
    return atomicCAS(&codes[slot], free_slot, code);
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::spatial
