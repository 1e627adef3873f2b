// Two stages, the second of which needs the whole result of the first: numbers are scaled by the
// largest.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Scratch;

// out[i] = in[i] / m, where m is the largest magnitude of all n numbers; if all are 0, so are the
// results. Numbers are finite. in and out do not overlap.
struct PersistentArgs {
  const float* in = nullptr;
  float* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
