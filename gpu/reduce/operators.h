// The operators of the reductions. A variant is written once, over any of them:
//
//   Value          what is combined
//   commutative    may operands change places, too? All are associative.
//   identity()     changes nothing that it is combined with
//   load(i)        item i as a Value; the operator holds the input's address
//   combine(a, b)  a stands before b
//
// Those that commute can also be combined in memory by atomics, in the order in which threads
// happen to come:
//
//   Cell                            the form that a Value has there
//   to_cell(value), from_cell(cell)
//   combine_into(cell, value)
#pragma once

#include "gpu/reduce/reduce.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

template <class T>
struct PlainCell {
  using Cell = T;
  __device__ static T to_cell(T value) { return value; }
  __device__ static T from_cell(T cell) { return cell; }
};

struct SumI32 : PlainCell<std::int32_t> {
  using Value = std::int32_t;
  static constexpr bool commutative = true;
  const std::int32_t* in;

  WARPVIEW_HD static constexpr Value identity() { return 0; }
  WARPVIEW_HD Value load(std::uint32_t i) const { return in[i]; }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) {
    // Unsigned numbers wrap around; signed ones must not.
    return static_cast<Value>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  __device__ static void combine_into(Cell* cell, Value value) { atomicAdd(cell, value); }
};

struct MinI32 : PlainCell<std::int32_t> {
  using Value = std::int32_t;
  static constexpr bool commutative = true;
  const std::int32_t* in;

  WARPVIEW_HD static constexpr Value identity() { return 0x7fffffff; }
  WARPVIEW_HD Value load(std::uint32_t i) const { return in[i]; }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) { return a < b ? a : b; }
  __device__ static void combine_into(Cell* cell, Value value) { atomicMin(cell, value); }
};

// GPUs have no atomic minimum of floats. The bits of a float, seen as an integer, order like the
// float if it is positive; turning all bits of negative ones and the sign bit of the others makes
// the order hold for both.
__device__ inline std::uint32_t to_ordered(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
__device__ inline float from_ordered(std::uint32_t ordered) {
  const std::uint32_t bits = (ordered & 0x80000000U) != 0 ? ordered & 0x7fffffffU : ~ordered;
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

struct MaxF32 {
  using Value = float;
  static constexpr bool commutative = true;
  const float* in;

  WARPVIEW_HD static constexpr Value identity() { return -__builtin_huge_valf(); }
  // What would make the result depend on the order is taken out here: a NaN becomes the identity,
  // and + 0 makes minus zero plus zero.
  WARPVIEW_HD Value load(std::uint32_t i) const {
    const float x = in[i];
    return x == x ? x + 0.0F : identity();
  }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) { return max_of(a, b); }

  using Cell = std::uint32_t;
  __device__ static Cell to_cell(Value value) { return to_ordered(value); }
  __device__ static Value from_cell(Cell cell) { return from_ordered(cell); }
  __device__ static void combine_into(Cell* cell, Value value) {
    atomicMax(cell, to_ordered(value));
  }
};

// Floating-point addition is associative but for the rounding: the same order of combining, the
// same bits.
struct SumF32 : PlainCell<float> {
  using Value = float;
  static constexpr bool commutative = true;
  const float* in;

  WARPVIEW_HD static constexpr Value identity() { return 0.0F; }
  WARPVIEW_HD Value load(std::uint32_t i) const { return in[i]; }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) { return a + b; }
  __device__ static void combine_into(Cell* cell, Value value) { atomicAdd(cell, value); }
};

struct DotF32 : PlainCell<float> {
  using Value = float;
  static constexpr bool commutative = true;
  const float* in;
  const float* in2;

  WARPVIEW_HD static constexpr Value identity() { return 0.0F; }
  WARPVIEW_HD Value load(std::uint32_t i) const { return in[i] * in2[i]; }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) { return a + b; }
  __device__ static void combine_into(Cell* cell, Value value) { atomicAdd(cell, value); }
};

struct UniteBoxes {
  using Value = SceneBounds;
  static constexpr bool commutative = true;
  const Aabb* in;

  WARPVIEW_HD static constexpr Value identity() { return {Aabb::empty(), Aabb::empty()}; }
  WARPVIEW_HD Value load(std::uint32_t i) const {
    const Aabb box = in[i];
    if (box.is_empty()) return identity();
    const Vec3 centre = box.centre();
    return {box, {centre, centre}};
  }
  WARPVIEW_HD static constexpr Value combine(const Value& a, const Value& b) {
    return {merge(a.points, b.points), merge(a.centres, b.centres)};
  }

  // SceneBounds as its twelve floats: minimum and maximum of the points, then of the centres.
  struct Cell {
    std::uint32_t word[sizeof(Value) / sizeof(float)];
  };
  static constexpr unsigned words = sizeof(Cell) / sizeof(std::uint32_t);
  __device__ static Cell to_cell(const Value& value) {
    Cell cell;
    UNROLL
    for (unsigned w = 0; w < words; ++w)
      cell.word[w] = to_ordered(reinterpret_cast<const float*>(&value)[w]);
    return cell;
  }
  __device__ static Value from_cell(const Cell& cell) {
    Value value;
    UNROLL
    for (unsigned w = 0; w < words; ++w)
      reinterpret_cast<float*>(&value)[w] = from_ordered(cell.word[w]);
    return value;
  }
  __device__ static void combine_into(Cell* cell, const Value& value) {
    if (value.points.is_empty()) return;
    const Cell mine = to_cell(value);
    UNROLL
    for (unsigned w = 0; w < words; ++w) {
      const bool is_minimum = w / 3 % 2 == 0;
      if (is_minimum)
        atomicMin(&cell->word[w], mine.word[w]);
      else
        atomicMax(&cell->word[w], mine.word[w]);
    }
  }
};

// The one whose order matters: b after a.
struct ComposeU32 {
  using Value = Affine;
  static constexpr bool commutative = false;
  const Affine* in;

  WARPVIEW_HD static constexpr Value identity() { return {1, 0}; }
  WARPVIEW_HD Value load(std::uint32_t i) const { return in[i]; }
  WARPVIEW_HD static constexpr Value combine(Value a, Value b) {
    return {b.factor * a.factor, b.factor * a.offset + b.offset};
  }
};

// The operator over results of an earlier pass instead of the input.
template <class Op>
struct Partials : Op {
  using Value = typename Op::Value;
  const Value* partial;

  WARPVIEW_HD Value load(std::uint32_t i) const { return partial[i]; }
};

// Op::combine as an object, for those who ask for one.
template <class Op>
struct Combine {
  WARPVIEW_HD constexpr typename Op::Value operator()(const typename Op::Value& a,
                                                      const typename Op::Value& b) const {
    return Op::combine(a, b);
  }
};

// Calls run(op) with the operator that the arguments ask for.
template <class Run>
void with_operator(const ReduceArgs& args, const Run& run) {
  const auto* i32 = static_cast<const std::int32_t*>(args.in);
  const auto* f32 = static_cast<const float*>(args.in);
  switch (args.op) {
    case ReduceOperator::sum_i32:
      return run(SumI32{{}, i32});
    case ReduceOperator::min_i32:
      return run(MinI32{{}, i32});
    case ReduceOperator::max_f32:
      return run(MaxF32{f32});
    case ReduceOperator::sum_f32:
      return run(SumF32{{}, f32});
    case ReduceOperator::dot_f32:
      return run(DotF32{{}, f32, static_cast<const float*>(args.in2)});
    case ReduceOperator::scene_bounds:
      return run(UniteBoxes{static_cast<const Aabb*>(args.in)});
    case ReduceOperator::compose_u32:
      return run(ComposeU32{static_cast<const Affine*>(args.in)});
  }
}

// The same for variants that combine items out of their order.
template <class Run>
void with_commutative_operator(const ReduceArgs& args, const Run& run) {
  with_operator(args, [&run](auto op) {
    if constexpr (decltype(op)::commutative)
      run(op);
    else
      throw Error("a reduction by compose_u32",
                  "the operator does not commute, and this variant combines items out of order",
                  "Choose reduce=two_pass");
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
