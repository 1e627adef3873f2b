// What the Morton variants share: the cell of a box's centre along an axis, and the spreading of
// its bits.
#pragma once

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
// two, at most 2^21. Division is correctly rounded on every backend, and the product with a power
// of two is exact.
__device__ inline std::uint32_t cell(float min, float max, float low, float high, float cells) {
  const float offset = half_difference(half_sum(min, max), low);
  const float extent = half_difference(high, low);
  if (!(extent > 0.0F) || !(offset > 0.0F)) return 0;
  return static_cast<std::uint32_t>(min_of(offset / extent * cells, cells - 1.0F));
}

struct Cell {
  std::uint32_t x, y, z;
};

// The cell of the box's centre in a grid of 2^bits cells per axis over `domain`.
__device__ inline Cell cell_of(const Aabb& box, const Aabb& domain, int bits) {
  const auto cells = static_cast<float>(1U << bits);
  return {cell(box.min.x, box.max.x, domain.min.x, domain.max.x, cells),
          cell(box.min.y, box.max.y, domain.min.y, domain.max.y, cells),
          cell(box.min.z, box.max.z, domain.min.z, domain.max.z, cells)};
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

}  // namespace warpview::WARPVIEW_BACKEND::morton
