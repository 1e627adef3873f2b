// Latency: how much of memory's speed a kernel reaches, by how many of its warps are resident and
// by how many loads each thread has under way.
#pragma once

#include <cstdint>

#include "gpu/runtime/tile_extent.h"

namespace warpview {

enum class LatencyWork {
  stream,  // all words are added up, by as many threads as it takes
  chase    // one thread follows chains of words, each of which says where the next one is
};

// stream: a block has a tile of consecutive words; its thread t adds up the words t, t + threads,
// t + 2 threads and so on of it.
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
  const std::uint32_t* in;  // n words; of a chase, each below n
  std::uint32_t n;          // at most 2^31 - 1
  // stream: for each thread of latency_blocks(n) blocks the sum of its words, modulo 2^32.
  // chase: for each chain where it ends; nothing if n is 0.
  std::uint32_t* out;
  // stream: of the blocks that a multiprocessor can hold, one in `share` is resident at a time. At
  // least 1. The CPU device holds as many as ever.
  std::uint32_t share = 1;
};

// A row's traits (gpu/catalogue.def): how many loads a thread has under way, 1, 2, 4 or 8.

}  // namespace warpview
