// A value for each triangle, by which a mesh can be coloured.
#pragma once

#include <cstdint>

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/vec.h"
#include "gpu/steps/tree.h"

namespace warpview {

enum class TriangleValue : std::uint32_t {
  rank,   // its place in Morton order, over that of the last
  leaf,   // its place times the golden ratio, fractional part: neighbours differ most
  depth,  // depth of its leaf, over that of the deepest
  digit   // eight bits of its sort key, over their largest value
};

// TriangleValue::leaf of this place.
HOST_DEVICE inline float value_of_leaf(std::uint32_t place) {
  // 2^32 over the golden ratio: the product wraps around, which leaves the fractional part.
  constexpr std::uint32_t step = 2654435769U;
  return static_cast<float>(place * step >> 8U) * 0x1p-24F;
}

// Each frame reads the new value.
struct TriangleValueChoice {
  TriangleValue value = TriangleValue::rank;
  std::uint32_t digit = 0;  // which eight bits, from the lowest
};

// out[t] of triangle t, from 0 to 1, by the last build of the tree.
struct TriangleValuesArgs {
  const std::uint32_t* count = nullptr;       // triangles, device memory
  const std::uint32_t* primitives = nullptr;  // triangles in Morton order, [n]
  const void* codes = nullptr;                // sorted, u32[n] or u64[n]
  int key_bits = 32;                          // of the codes' type: 32 or 64
  int code_bits = 30;                         // how many of these bits the codes use, the lowest
  const std::uint32_t* depth = nullptr;       // by node
  std::uint32_t first_leaf = 0;               // Bvh::first_leaf()
  const TreeStatistics* statistics = nullptr;
  const TriangleValueChoice* choice = nullptr;  // device memory
  std::uint32_t n = 0;
  float* out = nullptr;  // by triangle
};

}  // namespace warpview
