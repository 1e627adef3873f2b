// Radix sort of keys with 32-bit values.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Workspace;

// Sorts n pairs by key, ascending and stable, comparing only bits [begin_bit, end_bit) of the keys.
// Keys are u32 or u64 (`key_bits`), values u32. `values_in` null stands for 0, 1, ..., n - 1, so
// that values_out becomes the sorting permutation. Input is left unchanged; in and out do not
// overlap. An empty bit range copies.
struct SortArgs {
  int key_bits = 32;  // 32 or 64
  const void* keys_in = nullptr;
  void* keys_out = nullptr;
  const std::uint32_t* values_in = nullptr;
  std::uint32_t* values_out = nullptr;
  std::uint32_t n = 0;
  int begin_bit = 0;
  int end_bit = 32;
};

using SortFunction = void(Stream&, const SortArgs&, Workspace&);

}  // namespace warpview
