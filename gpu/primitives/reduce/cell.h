// A cell in memory that threads combine their values into by atomics, in order of arrival, and the
// launches before and after: for atomic.cu, block_serial.cu, shuffle_serial.cu and shuffle.cu.
#pragma once

#include "gpu/primitives/reduce/operators.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

// For each operator, the words of a cell and how a value is combined into it:
//
//   Word                            a value's representation in memory
//   to_word(value), to_value(word)
//   combine_into(word, value)
template <class Operator>
struct Cell;

template <class T>
struct PlainCell {
  using Word = T;
  __device__ static T to_word(T value) { return value; }
  __device__ static T to_value(T word) { return word; }
};
template <class T>
struct Cell<Sum<T>> : PlainCell<T> {
  __device__ static void combine_into(T* cell, T value) { atomicAdd(cell, value); }
};
template <>
struct Cell<MinI32> : PlainCell<std::int32_t> {
  __device__ static void combine_into(Word* cell, Word value) { atomicMin(cell, value); }
};

// CUDA has no atomic minimum of floats. The bits of a positive float, read as an integer, order
// like the float. Inverting all bits of negative ones and the sign bit of the others extends the
// order to both.
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

template <>
struct Cell<MaxF32> {
  using Word = std::uint32_t;
  __device__ static Word to_word(float value) { return to_ordered(value); }
  __device__ static float to_value(Word word) { return from_ordered(word); }
  __device__ static void combine_into(Word* cell, float value) {
    atomicMax(cell, to_ordered(value));
  }
};

// SceneBounds as its twelve floats: minimum and maximum of the points, then of the centres.
template <>
struct Cell<UniteBounds> {
  static constexpr unsigned floats = sizeof(SceneBounds) / sizeof(float);
  struct Word {
    std::uint32_t of[floats];
  };

  __device__ static Word to_word(const SceneBounds& value) {
    Word word;
    UNROLL
    for (unsigned f = 0; f < floats; ++f)
      word.of[f] = to_ordered(reinterpret_cast<const float*>(&value)[f]);
    return word;
  }
  __device__ static SceneBounds to_value(const Word& word) {
    SceneBounds value;
    UNROLL
    for (unsigned f = 0; f < floats; ++f)
      reinterpret_cast<float*>(&value)[f] = from_ordered(word.of[f]);
    return value;
  }
  __device__ static void combine_into(Word* cell, const SceneBounds& value) {
    if (value.points.is_empty()) return;
    const Word mine = to_word(value);
    UNROLL
    for (unsigned f = 0; f < floats; ++f) {
      const bool is_minimum = f / 3 % 2 == 0;
      if (is_minimum)
        atomicMin(&cell->of[f], mine.of[f]);
      else
        atomicMax(&cell->of[f], mine.of[f]);
    }
  }
};

template <class Operator>
__global__ void begin_cell_kernel(typename Cell<Operator>::Word* cell) {
  if (threadIdx.x == 0) *cell = Cell<Operator>::to_word(Operator::identity());
}

template <class Operator>
__global__ void end_cell_kernel(const typename Cell<Operator>::Word* cell,
                                typename Operator::Type* out) {
  if (threadIdx.x == 0) *out = Cell<Operator>::to_value(*cell);
}

// *out = the cell, after `kernel` has combined all items into it.
template <class Operator, class Items>
void through_cell(Stream& stream, const Items& items, std::uint32_t n,
                  Kernel<Items, std::uint32_t, typename Cell<Operator>::Word*> kernel, Shape shape,
                  void* out, Scratch& scratch) {
  auto* cell = scratch.take<typename Cell<Operator>::Word>(1, "cell");
  if (scratch.measuring()) return;
  launch(stream, KERNEL(begin_cell_kernel<Operator>), Shape(1, 64), cell);
  launch(stream, kernel, shape, items, n, cell);
  launch(stream, KERNEL(end_cell_kernel<Operator>), Shape(1, 64), cell,
         static_cast<typename Operator::Type*>(out));
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
