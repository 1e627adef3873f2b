// The sorted codes, and the common prefixes by which the builders split them into a tree.
#pragma once

#include <cstdint>

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::bvh {

// Calls use(codes) with the codes as words of their width.
template <class Use>
void with_codes(const BuildArgs& args, Use use) {
  if (args.key_bits == 32)
    use(static_cast<const std::uint32_t*>(args.codes));
  else
    use(static_cast<const std::uint64_t*>(args.codes));
}

// The number of zero bits above the highest set one.
__device__ inline int leading_zeros(std::uint32_t bits) { return __clz(static_cast<int>(bits)); }
__device__ inline int leading_zeros(std::uint64_t bits) {
  return __clzll(static_cast<long long>(bits));
}

// The number of leading bits that keys i and j (i != j) share, where key i is codes[i] followed by
// the 32 bits of i. The index makes all keys distinct, so that equal codes are no special case. The
// codes are sorted, and so are the keys.
template <class Code>
__device__ inline int common_prefix(const Code* __restrict__ codes, std::uint32_t i,
                                    std::uint32_t j) {
  const Code differing = codes[i] ^ codes[j];
  if (differing != 0) return leading_zeros(differing);
  return static_cast<int>(8 * sizeof(Code)) + leading_zeros(i ^ j);
}

}  // namespace warpview::WARPVIEW_BACKEND::bvh
