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

// On the host.
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
// Rounds to nearest, ties to even.
inline Half to_half(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  bits &= 0x7fffffffU;
  if (bits > 0x7f800000U) return {static_cast<std::uint16_t>(sign | 0x7e00U)};   // NaN
  if (bits >= 0x477ff000U) return {static_cast<std::uint16_t>(sign | 0x7c00U)};  // 65520 and more
  if (bits < 0x38800000U) {  // below the smallest normal number: a multiple of 2^-24
    float magnitude;
    std::memcpy(&magnitude, &bits, sizeof magnitude);
    magnitude += 0.5F;  // its last bit is 2^-24: the addition rounds
    std::memcpy(&bits, &magnitude, sizeof bits);
    return {static_cast<std::uint16_t>(sign | (bits - 0x3f000000U))};
  }
  bits += 0xfffU + (bits >> 13U & 1U);
  return {static_cast<std::uint16_t>(sign | ((bits >> 13U) - (112U << 10U)))};
}

// The nearest number with a 10-bit mantissa, as tensor cores round floats; of two equally near, the
// larger magnitude.
HOST_DEVICE inline float to_tf32(float x) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7f800000U) != 0x7f800000U) bits = (bits + 0x1000U) & ~0x1fffU;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// The types of a, b and c, and of sums.
enum class MatrixType {
  f32,      // floats; sums in float
  f16,      // a, b: Half; c: float; sums in float
  f16_f16,  // all Half; sums in binary16 or more
  i8_i32,   // a, b: std::int8_t; c: std::int32_t; sums modulo 2^32
  tf32      // floats; a and b are rounded by to_tf32; sums in float
};
constexpr std::uint32_t bytes_of_input(MatrixType type) {
  return type == MatrixType::i8_i32                               ? 1
         : type == MatrixType::f16 || type == MatrixType::f16_f16 ? 2
                                                                  : 4;
}
constexpr std::uint32_t bytes_of_output(MatrixType type) {
  return type == MatrixType::f16_f16 ? 2 : 4;
}

// Traits of the variants (gpu/catalogue.def): the types that they multiply, one bit for each.
struct MatrixTrait {
  static constexpr unsigned f32 = 1U << static_cast<unsigned>(MatrixType::f32);
  static constexpr unsigned f16 = 1U << static_cast<unsigned>(MatrixType::f16);
  static constexpr unsigned f16_f16 = 1U << static_cast<unsigned>(MatrixType::f16_f16);
  static constexpr unsigned i8_i32 = 1U << static_cast<unsigned>(MatrixType::i8_i32);
  static constexpr unsigned tf32 = 1U << static_cast<unsigned>(MatrixType::tf32);
  static constexpr unsigned all = f32 | f16 | f16_f16 | i8_i32 | tf32;
};
constexpr bool multiplies(unsigned traits, MatrixType type) {
  return (traits >> static_cast<unsigned>(type) & 1U) != 0;
}

// c = a b, with a [rows, inner], b [inner, columns] and c [rows, columns], all row-major without
// gaps. The order of summation depends on the variant. With inner == 0, c becomes 0. Sizes need not
// be multiples of anything. c overlaps neither input. None of the three has more than 2^31 - 1
// elements. Throws Error for a type that the variant's traits lack.
struct MatrixArgs {
  MatrixType type = MatrixType::f32;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  std::uint32_t rows = 0;
  std::uint32_t inner = 0;
  std::uint32_t columns = 0;
};

}  // namespace warpview
