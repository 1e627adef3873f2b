// Morton (Z-order) codes of box centres.
#pragma once

#include <cstdint>

#include "gpu/operators/bounds.h"

namespace warpview {

// The trait of a variant (gpu/catalogue.def) is the number of bits that its codes use, 30 or 63.
// The codes themselves have 32 or 64.
constexpr int morton_code_bits(unsigned traits) { return static_cast<int>(traits); }
constexpr int morton_key_bits(unsigned traits) { return traits > 32 ? 64 : 32; }

// The centre of each box, scaled to the box `bounds->centres`, quantised per axis and interleaved.
// At each level of the code every axis that is split has a bit: first x, then y, then z. The
// longest axis is split from level 0 on, another one from the level on at which the parts of the
// longest are about as long as it is (the difference of their exponents), at level 15 at the
// latest. As many whole levels as 30 (bits30) or 63 bits (bits63) have room for, and at most 24:
// 10 or 21 in a cube. An axis without extent quantises to 0. Boxes from `*count` on are padding:
// their code is all ones, so that a stable sort leaves them last.
struct MortonArgs {
  const Aabb* boxes = nullptr;
  const std::uint32_t* count = nullptr;  // device memory: how many of the n boxes are real
  std::uint32_t n = 0;                   // at most 2^31 - 1
  const SceneBounds* bounds = nullptr;   // device memory
  void* codes = nullptr;                 // u32[n] for bits30, u64[n] for bits63
};

}  // namespace warpview
