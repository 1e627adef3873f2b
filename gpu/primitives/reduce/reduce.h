// Reduction: combines n items into one by an associative operator.
#pragma once

#include <cstdint>

#include "gpu/operators/affine.h"
#include "gpu/operators/bounds.h"

namespace warpview {

// The items and the operator; after the semicolon the result for no items.
enum class ReduceOperator {
  sum_i32,       // std::int32_t, modulo 2^32; 0
  min_i32,       // std::int32_t; the largest value
  max_f32,       // float; NaNs are skipped, and a zero comes out positive; minus infinity
  sum_f32,       // float, rounded in the variant's order of additions; 0
  dot_f32,       // the sum of in[i] * in2[i], floats, rounded as sum_f32; 0
  scene_bounds,  // Aabb to SceneBounds; empty boxes are skipped, and zeros come out positive; empty
                 // boxes. No box has a NaN.
  compose_u32,   // Affine: in[0] first, then in[1], ...; associative, but the order matters;
                 // x -> x
  // For variants with more operators:
  max_i32,  // std::int32_t; the smallest value
  and_u32,  // std::uint32_t, bitwise; all bits set
  or_u32,   // as and_u32; 0
  xor_u32   // as and_u32; 0
};

// Traits of the variants (gpu/catalogue.def).
struct ReduceTrait {
  static constexpr unsigned keeps_order = 1;     // the operator need not commute
  static constexpr unsigned integers_only = 2;   // sum_i32 and min_i32
  static constexpr unsigned one_by_one = 4;      // items are combined one after another
  static constexpr unsigned more_operators = 8;  // those from max_i32 on, too
  static constexpr unsigned sums_only = 16;      // sum_i32, sum_f32 and dot_f32
  static constexpr unsigned in_a_row = 32;  // a block's or warp's values in sequence, then the sums
  static constexpr unsigned by_every_lane = 64;  // each lane of a warp adds up all values
};

// Why a variant with these traits cannot reduce by an operator, in a sentence; empty if it can.
constexpr const char* why_not_reduced(unsigned traits, ReduceOperator op) {
  const bool more = op >= ReduceOperator::max_i32;
  const bool integers = more || op == ReduceOperator::sum_i32 || op == ReduceOperator::min_i32;
  if ((traits & ReduceTrait::integers_only) != 0 && !integers)
    return "the instruction combines 32-bit integers only";
  const bool sum = op == ReduceOperator::sum_i32 || op == ReduceOperator::sum_f32 ||
                   op == ReduceOperator::dot_f32;
  if ((traits & ReduceTrait::sums_only) != 0 && !sum) return "adds up, and does no more";
  if ((traits & ReduceTrait::keeps_order) == 0 && op == ReduceOperator::compose_u32)
    return "combines items out of their order, and the operator does not commute";
  if ((traits & ReduceTrait::more_operators) == 0 && more)
    return "only last_block and reduce_sync know this operator";
  return "";
}

// *out = in[0] . in[1] . ... . in[n - 1]
// Integers, minima and maxima are exact, so every variant gives the same bits for them. Variants
// that change the order of items throw Error for compose_u32.
struct ReduceArgs {
  ReduceOperator op = ReduceOperator::sum_i32;
  const void* in = nullptr;
  const void* in2 = nullptr;  // dot_f32 only
  std::uint32_t n = 0;        // at most 2^31 - 1
  void* out = nullptr;        // device memory, one value
};

}  // namespace warpview
