// Copies into shared memory: a moving sum, where several threads read each item.
#pragma once

#include <cstdint>

namespace warpview {

struct StagingArgs {
  const std::uint32_t* in;  // n items
  std::uint32_t* out;       // n sums, modulo 2^32; not `in`
  std::uint32_t n;          // at most 2^31 - 1
  // out[i] is the sum of the items from i - radius to i + radius that exist. At most 64.
  std::uint32_t radius;
};

}  // namespace warpview
