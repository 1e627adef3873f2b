// Matrix product.
#pragma once

#include <cstdint>
#include <cstring>

#include "gpu/runtime/vec.h"

namespace warpview {

class Stream;
class Scratch;

// IEEE 754 binary16, as its bits. Kernels compute in float.
struct Half {
  std::uint16_t bits;
};

enum class MatrixType { f32, f16 };

// Traits of the variants (gpu/catalogue.def).
struct MatrixTrait {
  static constexpr unsigned halves_only = 1;  // f16 and no other elements
};

// c = a b, with a [rows, inner], b [inner, columns] and c [rows, columns], all row after row
// without gaps. a and b are f32 or f16, c is f32; sums are in f32, in an order that is the
// variant's own. With inner == 0, c becomes 0. No size need be a multiple of anything. c overlaps
// neither input. None of the three has more than 2^31 - 1 elements.
struct MatrixArgs {
  MatrixType type = MatrixType::f32;
  const void* a = nullptr;
  const void* b = nullptr;
  float* c = nullptr;
  std::uint32_t rows = 0;
  std::uint32_t inner = 0;
  std::uint32_t columns = 0;
};

}  // namespace warpview
