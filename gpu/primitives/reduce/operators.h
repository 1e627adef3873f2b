// The operators of a reduction (gpu/operators), and the items that it combines.
//
// Kernels are templates over both. `Items` returns item i as a value of the operator by items[i]; a
// pointer to values does, and so do the types below.
#pragma once

#include "gpu/operators/affine.h"
#include "gpu/operators/bounds.h"
#include "gpu/operators/numbers.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

// Removes what would make the maximum of floats depend on the order: a NaN becomes the identity,
// and + 0 turns minus zero into plus zero.
struct OrderedFloats {
  const float* in;

  HOST_DEVICE float operator[](std::uint32_t i) const {
    const float x = in[i];
    return x == x ? x + 0.0F : MaxF32::identity();
  }
};

struct Products {
  const float* a;
  const float* b;

  HOST_DEVICE float operator[](std::uint32_t i) const { return a[i] * b[i]; }
};

struct BoundsOfBoxes {
  const Aabb* in;

  HOST_DEVICE SceneBounds operator[](std::uint32_t i) const {
    const Aabb box = in[i];
    if (box.is_empty()) return UniteBounds::identity();
    const Vec3 centre = box.centre();
    const Aabb centres{centre, centre};
    return {box.with_positive_zeros(), centres.with_positive_zeros()};
  }
};

// Calls run(Operator(), items) with the operator and items of the arguments.
template <class Run>
void with_operator(const ReduceArgs& args, const Run& run) {
  const auto* i32 = static_cast<const std::int32_t*>(args.in);
  const auto* f32 = static_cast<const float*>(args.in);
  switch (args.op) {
    case ReduceOperator::sum_i32:
      return run(SumI32(), i32);
    case ReduceOperator::min_i32:
      return run(MinI32(), i32);
    case ReduceOperator::max_f32:
      return run(MaxF32(), OrderedFloats{f32});
    case ReduceOperator::sum_f32:
      return run(SumF32(), f32);
    case ReduceOperator::dot_f32:
      return run(SumF32(), Products{f32, static_cast<const float*>(args.in2)});
    case ReduceOperator::scene_bounds:
      return run(UniteBounds(), BoundsOfBoxes{static_cast<const Aabb*>(args.in)});
    case ReduceOperator::compose_u32:
      return run(ComposeAffine(), static_cast<const Affine*>(args.in));
    case ReduceOperator::max_i32:
    case ReduceOperator::and_u32:
    case ReduceOperator::or_u32:
    case ReduceOperator::xor_u32:
      throw Error("a reduction by max_i32, and_u32, or_u32 or xor_u32",
                  "this variant does not know the operator", "Choose reduce=last_block");
  }
}

// As with_operator, for variants with more operators.
template <class Run>
void with_any_operator(const ReduceArgs& args, const Run& run) {
  const auto* u32 = static_cast<const std::uint32_t*>(args.in);
  switch (args.op) {
    case ReduceOperator::max_i32:
      return run(MaxI32(), static_cast<const std::int32_t*>(args.in));
    case ReduceOperator::and_u32:
      return run(AndU32(), u32);
    case ReduceOperator::or_u32:
      return run(OrU32(), u32);
    case ReduceOperator::xor_u32:
      return run(XorU32(), u32);
    default:
      return with_operator(args, run);
  }
}

// Wraps `run` for variants that change the order of items.
template <class Run>
auto only_commutative(const Run& run) {
  return [&run](auto op, auto items) {
    if constexpr (decltype(op)::commutative)
      run(op, items);
    else
      throw Error("a reduction by compose_u32",
                  "the operator does not commute, and this variant combines items out of order",
                  "Choose reduce=two_pass");
  };
}
template <class Run>
void with_commutative_operator(const ReduceArgs& args, const Run& run) {
  with_operator(args, only_commutative(run));
}

// As with_operator, for variants that only sum.
template <class Run>
void with_sum(const ReduceArgs& args, const Run& run) {
  const auto* f32 = static_cast<const float*>(args.in);
  switch (args.op) {
    case ReduceOperator::sum_i32:
      return run(SumI32(), static_cast<const std::int32_t*>(args.in));
    case ReduceOperator::sum_f32:
      return run(SumF32(), f32);
    case ReduceOperator::dot_f32:
      return run(SumF32(), Products{f32, static_cast<const float*>(args.in2)});
    default:
      throw Error("a reduction by another operator than a sum",
                  "this variant adds up, and does no more", "Choose reduce=tree");
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
