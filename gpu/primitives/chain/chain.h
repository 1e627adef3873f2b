// Launching a chain of kernels: the same launches, submitted to the device in different ways.
#pragma once

#include <cstdint>

namespace warpview {

// Two chains that do not depend on each other, and a kernel that joins them:
//
//   x = x_in, then `steps` times x[i] = 5 x[i] + 1
//   y = y_in, then `steps` times y[i] = 3 y[i] + 7
//   out[i] = x[i] ^ y[i]
//
// modulo 2^32. Each step is a separate launch (2 steps + 1 in all), like steps that need the whole
// result of the step before. x, y and out do not overlap with the input or each other.
struct ChainArgs {
  const std::uint32_t* x_in = nullptr;
  const std::uint32_t* y_in = nullptr;
  std::uint32_t* x = nullptr;
  std::uint32_t* y = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;       // at most 2^31 - 1
  std::uint32_t steps = 16;  // at least 1
};

}  // namespace warpview
