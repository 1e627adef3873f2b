// A pool of buffers that warps take and give back while a kernel runs.
#pragma once

#include <cstdint>

#include "gpu/runtime/tile_extent.h"

namespace warpview {

// The work of a warp with a buffer: it reverses a stretch of this many words through it.
inline constexpr std::uint32_t pool_stretch = agreed_extent(256, 64);

// Traits of the variants (gpu/catalogue.def).
struct PoolTrait {
  static constexpr unsigned no_pool = 1;  // it never shares a buffer, nor runs out
};

// The most words of pool=malloc. At 2^24 the kernels' heap ended a launch with an error after
// several runs, on an H200 (driver 580.159.04, CUDA 13.0), and took down everything that the
// program had on the GPU.
inline constexpr std::uint32_t pool_malloc_words = 1U << 20U;

// out: the words of in, every stretch in reverse order (the last may be shorter). The two do not
// overlap. One warp reverses a stretch, in a buffer that it owns meanwhile.
struct PoolArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;               // at most 2^31 - 1
  std::uint32_t buffers = 1;         // in the pool, if there is one; at least one
  std::uint32_t* clashes = nullptr;  // one word, overwritten: owners that found another's mark; 0
};

}  // namespace warpview
