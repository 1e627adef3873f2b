// The prefix sum in one pass: decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016. The warp-wide look-back is section 4.4 there.
//
// Each block scans one tile and needs the sum of all tiles before it. It first publishes its own
// sum (the tile's aggregate), then walks back over its predecessors: an aggregate is added and the
// walk goes on, an inclusive prefix is added and ends it. The block then publishes its own prefix.
// Nobody waits for a chain of n tiles, since aggregates are there almost at once.
//
// Items are read once and written once: 8 bytes each, the least that is possible.

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned vectors_each = 4;  // of four items: 16-byte loads and stores
constexpr unsigned items_each = 4 * vectors_each;
constexpr std::uint32_t tile_size = threads * items_each;

// What a tile publishes: a flag in the upper half, a sum in the lower. One 64-bit word, so that a
// relaxed load sees both or neither and no fence is needed.
using TileState = std::uint64_t;
enum : std::uint32_t { not_ready = 0, aggregate_ready = 1, prefix_ready = 2 };
__device__ inline TileState pack(std::uint32_t flag, std::uint32_t sum) {
  return static_cast<TileState>(flag) << 32 | sum;
}
__device__ inline std::uint32_t flag_of(TileState state) {
  return static_cast<std::uint32_t>(state >> 32);
}
__device__ inline std::uint32_t sum_of(TileState state) {
  return static_cast<std::uint32_t>(state);
}

// The sum of all tiles before `tile`, found by one whole warp. Lane i looks at the i-th
// predecessor, nearest first; a window of a warp's size is summed at a time. Every lane holds the
// result.
__device__ inline std::uint32_t look_back(const TileState* states, std::uint32_t tile) {
  const warp::LaneMask everyone = warp::all_lanes();
  std::uint32_t before = 0;
  for (std::uint32_t end = tile; end > 0;) {
    // Lanes that look beyond tile 0 see an empty prefix.
    TileState state = pack(prefix_ready, 0);
    if (warp::lane() < end) {
      const TileState* mine = states + (end - 1 - warp::lane());
      state = load_relaxed(mine);
      while (flag_of(state) == not_ready) {
        backoff();
        state = load_relaxed(mine);
      }
    }
    const warp::LaneMask prefixes = warp::ballot(everyone, flag_of(state) == prefix_ready);
    // What lies beyond the nearest prefix is already in it.
    const bool counts = prefixes == 0 || warp::lane() <= warp::first(prefixes);
    before += warp::reduce(counts ? sum_of(state) : 0U,
                           [](std::uint32_t a, std::uint32_t b) { return a + b; });
    if (prefixes != 0) break;
    end -= warp::size();  // no prefix: all lanes had a predecessor
  }
  return before;
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

__global__ void __launch_bounds__(threads)
    lookback_scan_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                         bool inclusive, bool aligned, TileState* states, std::uint32_t* ticket) {
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
    if (warp::lane() == 0 && tile > 0)
      store_relaxed(&states[tile], pack(aggregate_ready, tile_sum));
    const std::uint32_t before = look_back(states, tile);
    if (warp::lane() == 0) {
      store_relaxed(&states[tile], pack(prefix_ready, before + tile_sum));
      shared_before = before;
    }
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

}  // namespace

void scan_lookback(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = args.n / tile_size + (args.n % tile_size != 0);
  // The ticket is the word before the tiles: one fill clears both.
  auto* words = workspace.take<TileState>(std::size_t{tiles} + 1);
  if (workspace.measuring() || tiles == 0) return;
  const bool aligned = reinterpret_cast<std::uintptr_t>(args.in) % sizeof(Four) == 0 &&
                       reinterpret_cast<std::uintptr_t>(args.out) % sizeof(Four) == 0;
  stream.fill(words, 0, (std::size_t{tiles} + 1) * sizeof(TileState));
  launch(stream, KERNEL(lookback_scan_kernel), Shape(tiles, threads), args.in, args.out, args.n,
         args.inclusive, aligned, words + 1, reinterpret_cast<std::uint32_t*>(words));
}

}  // namespace warpview::WARPVIEW_BACKEND
