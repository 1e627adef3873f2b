// What the scans in one pass share: a block scans one tile in registers, learns the sum of all
// tiles before it, and writes. They differ in how that sum is found; see chained.cu,
// lookback_lane.cu and lookback.cu.
#pragma once

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::scan {

inline constexpr unsigned threads = 256;
inline constexpr unsigned vectors_each = 4;  // of four items: 16-byte loads and stores
inline constexpr unsigned items_each = 4 * vectors_each;
inline constexpr std::uint32_t tile_size = threads * items_each;

// What a tile publishes: a flag in the upper half, a sum in the lower. One 64-bit word, so that a
// relaxed load sees both or neither and no fence is needed.
using TileState = std::uint64_t;
enum : std::uint32_t {
  not_ready = 0,
  aggregate_ready = 1,  // the sum of the tile alone
  prefix_ready = 2      // the sum of all items up to the tile's end
};
__device__ inline TileState pack(std::uint32_t flag, std::uint32_t sum) {
  return static_cast<TileState>(flag) << 32 | sum;
}
__device__ inline std::uint32_t flag_of(TileState state) {
  return static_cast<std::uint32_t>(state >> 32);
}
__device__ inline std::uint32_t sum_of(TileState state) {
  return static_cast<std::uint32_t>(state);
}

// Waits until a tile has published anything.
__device__ inline TileState wait_for(const TileState* state) {
  for (;;) {
    const TileState seen = load_relaxed(state);
    if (flag_of(seen) != not_ready) return seen;
    backoff();
  }
}

// Four consecutive items from i on; items from n on are 0.
struct alignas(16) Four {
  std::uint32_t item[4];
};
__device__ inline Four load_four(const std::uint32_t* in, std::uint32_t i, std::uint32_t n,
                                 bool aligned) {
  Four four{};
  if (aligned && i + 4 <= n) return *reinterpret_cast<const Four*>(in + i);
  for (unsigned k = 0; k < 4; ++k)
    if (i + k < n) four.item[k] = in[i + k];
  return four;
}
__device__ inline void store_four(std::uint32_t* out, std::uint32_t i, std::uint32_t n,
                                  bool aligned, const Four& four) {
  if (aligned && i + 4 <= n) {
    *reinterpret_cast<Four*>(out + i) = four;
    return;
  }
  for (unsigned k = 0; k < 4; ++k)
    if (i + k < n) out[i + k] = four.item[k];
}

// `Search::before(states, tile, tile_sum)` is called by the whole first warp. It publishes what its
// way asks for, the tile's inclusive prefix at the latest when it returns, and gives lane 0 the sum
// of all tiles before `tile`.
template <class Search>
__global__ void __launch_bounds__(threads)
    one_pass_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n, bool inclusive,
                    bool aligned, TileState* states, std::uint32_t* ticket) {
  __shared__ std::uint32_t shared_tile;
  __shared__ std::uint32_t warp_sums[threads / warp::min_size];
  __shared__ std::uint32_t shared_before;

  // Blocks may start in any order. A ticket numbers the tiles in the order in which blocks really
  // run, so every tile that this one waits for belongs to a block that has started.
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1U);
  __syncthreads();
  const std::uint32_t tile = shared_tile;

  // A warp owns a contiguous stretch; each lane takes four neighbours a row.
  const std::uint32_t begin =
      tile * tile_size + warp::index() * warp::size() * items_each + warp::lane() * 4;
  const std::uint32_t row = warp::size() * 4;
  Four items[vectors_each];
  UNROLL
  for (unsigned v = 0; v < vectors_each; ++v) items[v] = load_four(in, begin + v * row, n, aligned);

  // Exclusive prefixes within the warp's stretch, row after row.
  std::uint32_t before_in_warp[vectors_each];
  std::uint32_t warp_sum = 0;
  UNROLL
  for (unsigned v = 0; v < vectors_each; ++v) {
    const std::uint32_t sum =
        items[v].item[0] + items[v].item[1] + items[v].item[2] + items[v].item[3];
    const std::uint32_t upto = warp::inclusive_sum(sum);
    before_in_warp[v] = warp_sum + upto - sum;
    warp_sum += warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
  }
  if (warp::lane() == 0) warp_sums[warp::index()] = warp_sum;
  __syncthreads();

  std::uint32_t before_warp = 0;
  std::uint32_t tile_sum = 0;
  for (unsigned w = 0; w < threads / warp::size(); ++w) {
    if (w == warp::index()) before_warp = tile_sum;
    tile_sum += warp_sums[w];
  }

  if (warp::index() == 0) {
    const std::uint32_t before = Search::before(states, tile, tile_sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  UNROLL
  for (unsigned v = 0; v < vectors_each; ++v) {
    std::uint32_t sum = shared_before + before_warp + before_in_warp[v];
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t value = items[v].item[k];
      items[v].item[k] = sum + (inclusive ? value : 0);
      sum += value;
    }
    store_four(out, begin + v * row, n, aligned, items[v]);
  }
}

// The host function of these scans. Reads and writes each item once: 8 bytes, the least possible.
template <class Search>
void one_pass(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = args.n / tile_size + (args.n % tile_size != 0);
  // The ticket is the word before the tiles: one fill clears both.
  auto* words = workspace.take<TileState>(std::size_t{tiles} + 1);
  if (workspace.measuring() || tiles == 0) return;
  const bool aligned = reinterpret_cast<std::uintptr_t>(args.in) % sizeof(Four) == 0 &&
                       reinterpret_cast<std::uintptr_t>(args.out) % sizeof(Four) == 0;
  stream.fill(words, 0, (std::size_t{tiles} + 1) * sizeof(TileState));
  launch(stream, Kernel{&one_pass_kernel<Search>, Search::kernel_name}, Shape(tiles, threads),
         args.in, args.out, args.n, args.inclusive, aligned, words + 1,
         reinterpret_cast<std::uint32_t*>(words));
}

}  // namespace warpview::WARPVIEW_BACKEND::scan
