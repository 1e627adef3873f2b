// Run-length encoding: each run of equal keys becomes the key and the length of the run.
#pragma once

#include <cstdint>

namespace warpview {

// A run is a longest stretch of equal keys side by side. keys_out[r] and lengths[r] are of run r,
// *count is the number of runs. Both outputs have room for n (what lies behind the last run is
// undefined) and overlap neither each other nor the input.
struct RunLengthArgs {
  const std::uint32_t* keys = nullptr;
  std::uint32_t* keys_out = nullptr;
  std::uint32_t* lengths = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element
  std::uint32_t n = 0;             // at most 2^31 - 1
};

}  // namespace warpview
