// What the Morton variants share: which bits an axis has, the cell of a box's centre along it, and
// the spreading of its bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/primitives/morton/morton.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::morton {

// a / 2 + b / 2 and a / 2 - b / 2: sums of two floats that cannot overflow.
//
// nvcc and hipcc contract `x * y + z` to one rounding, g++ for a plain x86-64 rounds twice. Codes
// must be the same everywhere, so the code calls the fused operation by name: only a lone product
// is left, and nothing more can be contracted.
__device__ inline float half_sum(float a, float b) { return fmaf(a, 0.5F, b * 0.5F); }
__device__ inline float half_difference(float a, float b) { return fmaf(a, 0.5F, b * -0.5F); }

// The index of the cell, of `cells` equal cells of [low, high], that holds the middle of [min,
// max]: 0 for an axis without extent, the nearest cell for a middle outside. `cells` is a power of
// two, at most 2^24. Division is correctly rounded on every backend, and the product with a power
// of two is exact.
__device__ inline std::uint32_t cell(float min, float max, float low, float high, float cells) {
  const float offset = half_difference(half_sum(min, max), low);
  const float extent = half_difference(high, low);
  if (!(extent > 0.0F) || !(offset > 0.0F)) return 0;
  return static_cast<std::uint32_t>(min_of(offset / extent * cells, cells - 1.0F));
}

// How many bits of a code an axis has, and where.
//
// The longest axis alone is split until its parts are about as long as the second axis, then these
// two in turn until the shortest one is as long, then all three. So cells are about cubes: in a
// flat scene no bit is spent on slices that are thinner than the triangles.
//
//   M. Vinkler, J. Bittner, V. Havran, Extended Morton Codes for High Performance Bounding Volume
//   Hierarchy Construction, 2017 (an axis for each bit, by the extents).
struct Grid {
  // By axis: the levels at which it is not split yet. 0 for the longest.
  std::uint32_t late_x, late_y, late_z;
  std::uint32_t middle, last;  // the second and the largest of these
  std::uint32_t all;           // levels at which all three are split

  // Beyond so many levels an axis counts as without extent.
  static constexpr std::uint32_t most_late = 15;

  __device__ static Grid of(const Aabb& domain, std::uint32_t code_bits) {
    const float x = half_difference(domain.max.x, domain.min.x);
    const float y = half_difference(domain.max.y, domain.min.y);
    const float z = half_difference(domain.max.z, domain.min.z);
    const float longest = max_of(x, max_of(y, z));
    Grid grid{late(longest, x), late(longest, y), late(longest, z), 0, 0, 0};
    grid.last = larger(grid.late_x, larger(grid.late_y, grid.late_z));
    grid.middle = grid.late_x + grid.late_y + grid.late_z - grid.last;  // and the least, which is 0
    const std::uint32_t before = grid.middle + 2 * (grid.last - grid.middle);  // bits
    // Floats tell 2^24 cells apart.
    grid.all = smaller((code_bits - before) / 3, 24 - grid.last);
    return grid;
  }
  __device__ float cells(std::uint32_t late) const {
    return static_cast<float>(1U << (last - late + all));
  }

 private:
  // By how many powers of two the longest axis is longer, to one more or less.
  __device__ static std::uint32_t late(float longest, float extent) {
    if (!(longest > 0.0F)) return 0;
    if (!(extent > 0.0F)) return most_late;
    return smaller(exponent(longest) - exponent(extent), most_late);
  }
  __device__ static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
    return a < b ? a : b;
  }
  __device__ static std::uint32_t larger(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }
  __device__ static std::uint32_t exponent(float positive) {
    return std::bit_cast<std::uint32_t>(positive) >> 23U;
  }
};

struct Cell {
  std::uint32_t x, y, z;
};

// The cell of the box's centre in the grid over `domain`.
__device__ inline Cell cell_of(const Aabb& box, const Aabb& domain, const Grid& grid) {
  return {cell(box.min.x, box.max.x, domain.min.x, domain.max.x, grid.cells(grid.late_x)),
          cell(box.min.y, box.max.y, domain.min.y, domain.max.y, grid.cells(grid.late_y)),
          cell(box.min.z, box.max.z, domain.min.z, domain.max.z, grid.cells(grid.late_z))};
}

// Moves bit i to bit 3 i. Each line halves the length of the runs of bits that still touch: the
// upper half of every run is moved up.
__device__ inline std::uint32_t spread10(std::uint32_t bits) {
  bits = (bits | bits << 16U) & 0x030000ffU;
  bits = (bits | bits << 8U) & 0x0300f00fU;
  bits = (bits | bits << 4U) & 0x030c30c3U;
  bits = (bits | bits << 2U) & 0x09249249U;
  return bits;
}

__device__ inline std::uint64_t spread21(std::uint64_t bits) {
  bits = (bits | bits << 32U) & 0x001f00000000ffffU;
  bits = (bits | bits << 16U) & 0x001f0000ff0000ffU;
  bits = (bits | bits << 8U) & 0x100f00f00f00f00fU;
  bits = (bits | bits << 4U) & 0x10c30c30c30c30c3U;
  bits = (bits | bits << 2U) & 0x1249249249249249U;
  return bits;
}

// Moves bit i to bit 2 i, of 15 bits.
__device__ inline std::uint32_t spread_by_two(std::uint32_t bits) {
  bits = (bits | bits << 8U) & 0x00ff00ffU;
  bits = (bits | bits << 4U) & 0x0f0f0f0fU;
  bits = (bits | bits << 2U) & 0x33333333U;
  bits = (bits | bits << 1U) & 0x55555555U;
  return bits;
}

// The bits of the axes that are split before the shortest one: those of the longest alone, then
// those of both in turn.
__device__ inline std::uint64_t early_bits(const Cell& cell, const Grid& grid) {
  if (grid.last == 0) return 0;
  const std::uint32_t both = grid.last - grid.middle;
  std::uint64_t code = 0;
  if (grid.middle > 0) {
    const std::uint32_t longest = grid.late_x == 0 ? cell.x : grid.late_y == 0 ? cell.y : cell.z;
    code = longest >> (grid.all + both);
  }
  if (both > 0) {
    const bool is_x = grid.late_x == grid.last;  // the shortest one
    const bool is_z = !is_x && grid.late_y != grid.last;
    const std::uint32_t mask = (1U << both) - 1U;
    const std::uint32_t first = (is_x ? cell.y : cell.x) >> grid.all & mask;
    const std::uint32_t second = (is_z ? cell.y : cell.z) >> grid.all & mask;
    code = code << (2 * both) | (spread_by_two(first) << 1U | spread_by_two(second));
  }
  return code << (3 * grid.all);
}

}  // namespace warpview::WARPVIEW_BACKEND::morton
