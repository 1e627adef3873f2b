// Ways for data to get from the host to a kernel and back.
#pragma once

#include <cstdint>

namespace warpview {

// out[i] = 3 in[i] + 1, modulo 2^32, for two arrays of the host. A run begins with the input where
// the host left it, and when all that it queued is done, the output lies where the host can read
// it. A run may wait for its stream. `in` and `out` are ordinary host memory and do not overlap. A
// variant that keeps the arrays in memory of its own takes the input when it is prepared, and its
// `fetch` copies the output to `out`.
struct MemoryArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
