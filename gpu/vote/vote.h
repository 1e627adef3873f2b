// A block votes: how many of its items pass a test, do all, does any?
#pragma once

#include <cstdint>

namespace warpview {

enum class Vote {
  count,  // how many pass
  all,    // 1 if none fails, else 0
  any     // 1 if one passes, else 0
};

inline constexpr std::uint32_t vote_tile_size = 256;

// One answer for every tile of 256 words; a word passes if it is less than `limit`. The last tile
// may have fewer.
struct VoteArgs {
  Vote vote = Vote::count;
  const std::uint32_t* in = nullptr;
  std::uint32_t n = 0;
  std::uint32_t limit = 0;
  std::uint32_t* out = nullptr;  // an answer a tile: n / 256 words, rounded up
};

}  // namespace warpview
