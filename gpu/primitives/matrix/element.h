// What the kernels of the matrix product share: their elements as numbers, and the choice of a
// type.
#pragma once

#include <type_traits>

#include "gpu/primitives/matrix/matrix.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"
#if defined(WARPVIEW_BACKEND_CUDA)
#include <cuda_fp16.h>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <hip/hip_fp16.h>
#endif

namespace warpview::WARPVIEW_BACKEND::matrix {

// A float whose lowest mantissa bits are ignored.
struct Tf32 {
  float value;
};

// An element as a factor.
__device__ inline float number(float x) { return x; }
__device__ inline float number(Tf32 x) { return to_tf32(x.value); }
__device__ inline std::int32_t number(std::int8_t x) { return x; }
#if defined(WARPVIEW_BACKEND_CPU)
inline float number(Half x) { return to_float(x); }
#else
__device__ inline float number(Half x) { return __half2float(__ushort_as_half(x.bits)); }
#endif

// Stores a sum as an element.
__device__ inline void store(float* c, float sum) { *c = sum; }
__device__ inline void store(std::int32_t* c, std::uint32_t sum) {
  *c = static_cast<std::int32_t>(sum);
}
#if defined(WARPVIEW_BACKEND_CPU)
inline void store(Half* c, float sum) { *c = to_half(sum); }
#else
__device__ inline void store(Half* c, float sum) {
  c->bits = __half_as_ushort(__float2half_rn(sum));
}
#endif

// The type of sums for elements of c: unsigned for integers, because signed ones must not wrap.
template <class Out>
using SumOf = std::conditional_t<std::is_same_v<Out, std::int32_t>, std::uint32_t, float>;

// Element (row, column) of a matrix [rows, columns], as a float; 0 outside of it.
template <class T>
__device__ inline float element(const T* m, std::uint32_t rows, std::uint32_t columns,
                                std::uint32_t row, std::uint32_t column) {
  if (row >= rows || column >= columns) return 0.0F;
  return number(m[static_cast<std::size_t>(row) * columns + column]);
}

[[noreturn]] inline void refuse() {
  throw Error("a matrix product of elements of another type", "this variant does not multiply them",
              "Choose the variant naive, or other elements");
}

// Calls function(a, b, c) with the typed pointers of the arguments. Throws Error where the type is
// not one of `types` (MatrixTrait).
template <unsigned types, class Function>
void with_type(const MatrixArgs& args, Function&& function) {
  const auto call = [&]<class In, class Out>(const In*, Out*) {
    function(static_cast<const In*>(args.a), static_cast<const In*>(args.b),
             static_cast<Out*>(args.c));
  };
  constexpr float* floats = nullptr;
  constexpr Half* halves = nullptr;
  if (!multiplies(types, args.type)) refuse();
  switch (args.type) {
    case MatrixType::f32:
      if constexpr (multiplies(types, MatrixType::f32)) call(floats, floats);
      return;
    case MatrixType::f16:
      if constexpr (multiplies(types, MatrixType::f16)) call(halves, floats);
      return;
    case MatrixType::f16_f16:
      if constexpr (multiplies(types, MatrixType::f16_f16)) call(halves, halves);
      return;
    case MatrixType::i8_i32:
      if constexpr (multiplies(types, MatrixType::i8_i32))
        call(static_cast<std::int8_t*>(nullptr), static_cast<std::int32_t*>(nullptr));
      return;
    case MatrixType::tf32:
      if constexpr (multiplies(types, MatrixType::tf32)) call(static_cast<Tf32*>(nullptr), floats);
      return;
  }
}

// Blocks of tile x tile outputs that cover c.
inline dim3 grid_of_tiles(const MatrixArgs& args, std::uint32_t tile) {
  return {ceil_div(args.columns, tile), ceil_div(args.rows, tile)};
}

}  // namespace warpview::WARPVIEW_BACKEND::matrix
