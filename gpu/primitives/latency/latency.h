// Latency: how much of memory's bandwidth a kernel reaches, by the number of its resident warps and
// by the number of loads that each thread has in flight.
#pragma once

#include <cstdint>

#include "gpu/runtime/tile_extent.h"

namespace warpview {

enum class LatencyWork {
  stream,  // all words are summed, by as many threads as it takes
  chase    // one thread follows chains of words, each of which gives the index of the next
};

// stream: a block has a tile of consecutive words; its thread t sums the words t, t + threads,
// t + 2 threads, ... of the tile.
inline constexpr std::uint32_t latency_threads = agreed_extent(128, 64);
inline constexpr std::uint32_t latency_words_each = agreed_extent(64, 8);
inline constexpr std::uint32_t latency_tile = latency_threads * latency_words_each;
constexpr std::uint32_t latency_blocks(std::uint32_t n) {
  return n / latency_tile + (n % latency_tile != 0);
}

// chase: chain c begins at word c * n / 8.
inline constexpr std::uint32_t latency_chains = 8;
inline constexpr std::uint32_t latency_chain_loads = 1024;  // of each chain

struct LatencyArgs {
  LatencyWork work = LatencyWork::stream;
  const std::uint32_t* in;  // n words; for a chase, each below n
  std::uint32_t n;          // at most 2^31 - 1
  // stream: for each thread of latency_blocks(n) blocks, the sum of its words, modulo 2^32.
  // chase: the end of each chain; nothing is written if n is 0.
  std::uint32_t* out;
  // stream: one in `share` of the blocks that an SM can hold is resident at a time. At least 1. The
  // CPU device ignores it.
  std::uint32_t share = 1;
};

// The traits of a variant (gpu/catalogue.def): the loads that a thread has in flight, 1, 2, 4 or 8.

}  // namespace warpview
