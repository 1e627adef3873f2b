// Morton (Z-order) codes of box centres.
#pragma once

#include <cstdint>

#include "gpu/operators/bounds.h"

namespace warpview {

// The trait of a variant (gpu/catalogue.def) is the number of bits that its codes use, 30 or 63.
// The codes themselves have 32 or 64.
constexpr int morton_code_bits(unsigned traits) { return static_cast<int>(traits); }
constexpr int morton_key_bits(unsigned traits) { return traits > 32 ? 64 : 32; }

// The centre of each box, scaled to the unit cube of `bounds->centres`, quantised to 10 bits
// (bits30) or 21 bits (bits63) per axis and interleaved: x in the most significant bit of each
// triple, then y, then z. An axis without extent quantises to 0. Boxes from `*count` on are
// padding: their code is all ones, so that a stable sort leaves them last.
struct MortonArgs {
  const Aabb* boxes = nullptr;
  const std::uint32_t* count = nullptr;  // device memory: how many of the n boxes are real
  std::uint32_t n = 0;                   // at most 2^31 - 1
  const SceneBounds* bounds = nullptr;   // device memory
  void* codes = nullptr;                 // u32[n] for bits30, u64[n] for bits63
};

}  // namespace warpview
