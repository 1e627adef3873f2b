// Run-length encoding: each run of equal keys becomes the key and the length of the run.
#pragma once

#include <cstdint>

namespace warpview {

// A run is a maximal stretch of equal neighbouring keys. keys_out[r] and lengths[r] describe run r;
// *count is the number of runs. Both outputs have room for n (elements after the last run are
// undefined) and overlap neither each other nor the input.
struct RunLengthArgs {
  const std::uint32_t* keys = nullptr;
  std::uint32_t* keys_out = nullptr;
  std::uint32_t* lengths = nullptr;
  std::uint32_t* count = nullptr;  // device memory, one element
  std::uint32_t n = 0;             // at most 2^31 - 1
};

}  // namespace warpview
