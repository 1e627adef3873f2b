// A block votes: how many of its items pass a test, do all pass, does any pass?
#pragma once

#include <cstdint>

#include "gpu/runtime/tile_extent.h"

namespace warpview {

enum class Vote {
  count,  // how many pass
  all,    // 1 if none fails, else 0
  any     // 1 if one passes, else 0
};

inline constexpr std::uint32_t vote_tile_size = agreed_extent(256, 64);

// One answer for every tile of vote_tile_size words; a word passes if it is less than `limit`. The
// last tile may have fewer words.
struct VoteArgs {
  Vote vote = Vote::count;
  const std::uint32_t* in = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
  std::uint32_t limit = 0;
  std::uint32_t* out = nullptr;  // one answer per tile: n / vote_tile_size words, rounded up
};

}  // namespace warpview
