// What the kernels of the matrix product share: their elements as floats, and the choice of a type.
#pragma once

#include "gpu/primitives/matrix/matrix.h"
#include "gpu/runtime/kernel.h"
#if defined(WARPVIEW_BACKEND_CUDA)
#include <cuda_fp16.h>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <hip/hip_fp16.h>
#endif

namespace warpview::WARPVIEW_BACKEND::matrix {

__device__ inline float to_float(float x) { return x; }

#if defined(WARPVIEW_BACKEND_CPU)
inline float to_float(Half x) {
  // The exponent moves from bias 15 to bias 127 by a multiplication, which handles subnormal
  // numbers as well; infinity and NaN keep an exponent of all ones.
  std::uint32_t bits = (x.bits & 0x7fffU) << 13U;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  value *= 0x1p112F;
  std::memcpy(&bits, &value, sizeof bits);
  if ((x.bits & 0x7c00U) == 0x7c00U) bits |= 0x7f800000U;
  bits |= (x.bits & 0x8000U) << 16U;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
#else
__device__ inline float to_float(Half x) { return __half2float(__ushort_as_half(x.bits)); }
#endif

// Element (row, column) of a matrix [rows, columns]; 0 outside of it.
template <class T>
__device__ inline float element(const T* m, std::uint32_t rows, std::uint32_t columns,
                                std::uint32_t row, std::uint32_t column) {
  if (row >= rows || column >= columns) return 0.0F;
  return to_float(m[static_cast<std::size_t>(row) * columns + column]);
}

// Calls function(a, b) with the typed pointers of the arguments.
template <class Function>
void with_type(const MatrixArgs& args, Function&& function) {
  if (args.type == MatrixType::f32)
    function(static_cast<const float*>(args.a), static_cast<const float*>(args.b));
  else
    function(static_cast<const Half*>(args.a), static_cast<const Half*>(args.b));
}

// Blocks of tile x tile outputs over the whole of c.
inline dim3 grid_of_tiles(const MatrixArgs& args, std::uint32_t tile) {
  return {ceil_div(args.columns, tile), ceil_div(args.rows, tile)};
}

}  // namespace warpview::WARPVIEW_BACKEND::matrix
