// Morton (Z-order) codes of box centres.
#pragma once

#include <cstdint>

#include "gpu/reduce/bounds.h"

namespace warpview {

// The centre of each box, scaled to the unit cube of `bounds->centres`, quantised to 10 bits
// (bits30) or 21 bits (bits63) an axis and interleaved: x in the most significant bit of each
// triple, then y, then z. An axis without extent quantises to 0. Boxes from `*count` on are
// padding: their code is all ones, so that a stable sort leaves them last.
struct MortonArgs {
  const Aabb* boxes = nullptr;
  const std::uint32_t* count = nullptr;  // device memory: how many of the n boxes are real
  std::uint32_t n = 0;
  const SceneBounds* bounds = nullptr;  // device memory
  void* codes = nullptr;                // u32[n] for bits30, u64[n] for bits63
};

}  // namespace warpview
