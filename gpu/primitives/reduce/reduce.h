// Reduction: n items become one, by an associative operator.
#pragma once

#include <cstdint>

#include "gpu/operators/affine.h"
#include "gpu/operators/bounds.h"

namespace warpview {

// What is combined, and what comes out of no items at all.
enum class ReduceOperator {
  sum_i32,       // std::int32_t, modulo 2^32; 0
  min_i32,       // std::int32_t; the largest there is
  max_f32,       // float; NaNs are skipped, and a zero comes out positive; minus infinity
  sum_f32,       // float, rounded in whatever order the variant adds; 0
  dot_f32,       // the sum of in[i] * in2[i], floats, rounded likewise; 0
  scene_bounds,  // Aabb to SceneBounds; empty boxes are skipped, and zeros come out positive; empty
                 // boxes. No NaN comes in.
  compose_u32,   // Affine: in[0] first, then in[1], ...; associative, but the order matters;
                 // x -> x
  // Of variants that know more operators:
  max_i32,  // std::int32_t; the smallest there is
  and_u32,  // std::uint32_t, bit by bit; all bits set
  or_u32,   // the same; 0
  xor_u32   // the same; 0
};

// Traits of the variants (gpu/catalogue.def).
struct ReduceTrait {
  static constexpr unsigned keeps_order = 1;     // the operator need not commute
  static constexpr unsigned integers_only = 2;   // sum_i32 and min_i32
  static constexpr unsigned one_by_one = 4;      // items meet the result one after the other
  static constexpr unsigned more_operators = 8;  // those from max_i32 on, too
  static constexpr unsigned sums_only = 16;      // sum_i32, sum_f32 and dot_f32
  static constexpr unsigned in_a_row = 32;  // values of a block or warp, then what comes of each
  static constexpr unsigned by_every_lane = 64;  // each lane of a warp adds up the values of all
};

// Why a variant with these traits cannot reduce by an operator, in a sentence; empty where it can.
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
// that combine items out of their order throw Error for compose_u32.
struct ReduceArgs {
  ReduceOperator op = ReduceOperator::sum_i32;
  const void* in = nullptr;
  const void* in2 = nullptr;  // dot_f32 only
  std::uint32_t n = 0;        // at most 2^31 - 1
  void* out = nullptr;        // device memory, one value
};

}  // namespace warpview
