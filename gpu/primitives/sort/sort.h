// Radix sort of keys, alone or with values.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Scratch;

enum class SortKey : std::uint8_t { u32, u64, i32, f32 };

constexpr int bits_of(SortKey key) { return key == SortKey::u64 ? 64 : 32; }

// Sorts n keys, and with each its value, if there are values. The sort is stable: equal keys keep
// their order, in a descending sort too. Input is left unchanged; in and out do not overlap.
//
// integers in the same order: an i32 with its sign bit complemented; an f32 with its sign bit
// complemented if it is positive, with all bits complemented if it is negative. All floats have a
// place in that order: NaNs with the sign bit set, -infinity, ..., -0, +0, ..., +infinity, the
// other NaNs. Only CUB treats -0 and +0 as equal. An empty bit range copies.
//
// Values of 4 or 8 bytes are moved unchanged. If `values_in` is null, the values are the unsigned
// integers 0, 1, ..., n - 1, so that values_out becomes the sorting permutation.
struct SortArgs {
  SortKey key = SortKey::u32;
  const void* keys_in = nullptr;
  void* keys_out = nullptr;
  int value_bytes = 4;  // 0 (keys only), 4 or 8
  const void* values_in = nullptr;
  void* values_out = nullptr;
  std::uint32_t n = 0;  // below 2^30
  int begin_bit = 0;
  int end_bit = 32;
  bool descending = false;
};

// Traits of the variants (gpu/catalogue.def).
struct SortTrait {
  static constexpr unsigned four_byte_values = 1;  // neither keys only nor 8-byte values
  static constexpr unsigned small_digits = 2;      // fewer than 8 bits, hence more passes
};

using SortFunction = void(Stream&, const SortArgs&, Scratch&);

}  // namespace warpview
