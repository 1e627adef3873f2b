// What the variants with a staged tile share: the tile, its halo, and the work on it.
#pragma once

#include <string>

#include "gpu/primitives/staging/staging.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::staging {

inline constexpr unsigned threads = tile_extent(256, 64);
inline constexpr std::uint32_t tile_size = tile_extent(1024, 128);
inline constexpr std::uint32_t largest_radius = 64;
inline constexpr std::uint32_t largest_stage = tile_size + 2 * largest_radius;

inline void check(const StagingArgs& args) {
  if (args.radius > largest_radius)
    throw Error(
        "moving sum of radius " + std::to_string(args.radius),
        "a tile is staged with at most " + std::to_string(largest_radius) + " items on each side",
        "Choose a smaller radius");
}

inline std::uint32_t tiles_of(std::uint32_t n) { return n / tile_size + (n % tile_size != 0); }

// The words staged for one tile: its items and `halo` more on each side. The halo is the radius
// rounded up to 16 bytes, so that a stage begins where 16 bytes can be copied at once.
struct Stage {
  std::int64_t first;  // item in word 0; negative before the array
  std::uint32_t halo;
  std::uint32_t words;

  __device__ Stage(std::uint32_t tile, std::uint32_t radius)
      : first(0), halo((radius + 3) / 4 * 4), words(tile_size + 2 * halo) {
    first = static_cast<std::int64_t>(tile) * tile_size - halo;
  }
};

// The sums of the tile, from its stage. Neighbouring threads read neighbouring words, so there are
// no bank conflicts. The whole block calls it, once every thread may read all of the stage.
__device__ inline void add_up(const std::uint32_t* staged, const Stage& stage, std::uint32_t tile,
                              std::uint32_t radius, std::uint32_t n, std::uint32_t* out) {
  const std::uint32_t begin = tile * tile_size;
  for (std::uint32_t k = threadIdx.x; k < tile_size && k < n - begin; k += threads) {
    const std::uint32_t* const around = staged + stage.halo + k - radius;
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d <= 2 * radius; ++d) sum += around[d];
    out[begin + k] = sum;
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::staging
