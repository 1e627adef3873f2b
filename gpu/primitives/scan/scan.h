// Prefix sums, and prefixes by any other associative operator.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Scratch;

// The type of the items and the operator: a type of at most 32 bytes and an associative operator
// with an identity, which need not be commutative. Defined in gpu/primitives/scan/operators.h.
enum class ScanOperator {
  sum_u32,     // std::uint32_t, sums modulo 2^32
  sum_f32,     // float; the order of additions, and so the rounding, depends on the variant
  max_i32,     // std::int32_t
  affine_u32,  // Affine: maps x -> a x + b modulo 2^32, each applied after those before it
  matrix_u64   // Matrix2: 2 by 2 matrices modulo 2^64, multiplied from left to right
};

// With + for the operator and 0 for its identity:
//   out[i] = in[0] + ... + in[i]      (inclusive)
//   out[i] = in[0] + ... + in[i - 1]  (exclusive; out[0] = 0)
// `in` and `out` point to n items of the operator's type, with its alignment. `out` may be `in`;
// otherwise the two do not overlap.
struct ScanArgs {
  const void* in = nullptr;
  void* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
  bool inclusive = false;
  ScanOperator combine = ScanOperator::sum_u32;
};

using ScanFunction = void(Stream&, const ScanArgs&, Scratch&);

}  // namespace warpview
