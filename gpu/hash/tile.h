// Four lanes that probe together: each reads one of four neighbouring slots, at 8 bytes a slot
// together one sector of memory.
#pragma once

#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// Slots that are read at once, and lanes of a tile.
inline constexpr unsigned window_size = 4;

// A warp of either size is made of whole tiles.
struct Tile {
  unsigned begin;        // its first lane
  warp::LaneMask lanes;  // named at every collective: tiles of a warp go their own ways

  __device__ static Tile of_this_lane() {
    const unsigned begin = warp::lane() / window_size * window_size;
    return {begin, ((warp::LaneMask{1} << window_size) - 1) << begin};
  }
  // This lane's number in the tile.
  __device__ unsigned lane() const { return warp::lane() - begin; }
};

}  // namespace warpview::WARPVIEW_BACKEND::hash
