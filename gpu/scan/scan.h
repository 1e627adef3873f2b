// Prefix sum of 32-bit unsigned integers.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Workspace;

// out[i] = in[0] + ... + in[i]      (inclusive)
// out[i] = in[0] + ... + in[i - 1]  (exclusive; out[0] = 0)
// Sums wrap modulo 2^32. `out` may be `in`; else the two do not overlap.
struct ScanArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;
  bool inclusive = false;
};

using ScanFunction = void(Stream&, const ScanArgs&, Workspace&);

}  // namespace warpview
