// Reduce by key: each run of equal keys becomes one key and the sum of its values.
#pragma once

#include <cstdint>

namespace warpview {

enum class RunSum {
  sum_u32,  // std::uint32_t, modulo 2^32
  sum_f32   // float; the order of additions depends on the variant
};

// A run is a maximal stretch of equal neighbouring keys; a key that comes again later begins
// another run. keys_out[r] is the key of run r, sums[r] the sum of its values, *count the number of
// runs. Both outputs have room for n (elements after the last run are undefined) and overlap
// neither each other nor the input.
struct ReduceByKeyArgs {
  const std::uint32_t* keys = nullptr;
  const void* values = nullptr;  // of the sum's type
  std::uint32_t* keys_out = nullptr;
  void* sums = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element
  std::uint32_t n = 0;             // at most 2^31 - 1
  RunSum sum = RunSum::sum_u32;
};

}  // namespace warpview
