// Expansion with one thread per output slot, which searches for the slot's item.
//
//   The talk "Scan with decoupled look-back and Onesweep radix sort": allocation by scan.
//   S. Baxter, moderngpu: load-balancing search.
//
//   1. the inclusive sum of the counts gives the end of each item's slots;
//   2. the owner of a slot is the first item whose slots end after it: a binary search.
//
// With one thread per item (tile.h) a warp takes as long as its longest loop, and writes 32 words
// far apart in each iteration. Here every thread writes the same number of words, neighbours write
// neighbouring words, and uneven counts do not matter. The price is the search, and the sums, which
// go through memory.
//
// A block searches all items only for the owners of its first and its last slot. Its threads search
// between these two.

#include <algorithm>

#include "gpu/primitives/expand/expand.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned search_threads = tile_extent(256, 64);
constexpr unsigned places_each = tile_extent(8, 2);
constexpr std::uint32_t search_tile = search_threads * places_each;

// The first item of [low, high] whose slots end after `place`; there is one.
__device__ inline std::uint32_t owner_of(std::uint32_t place, const std::uint32_t* ends,
                                         std::uint32_t low, std::uint32_t high) {
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (ends[middle] > place)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// For any number of blocks; they share the tiles of slots.
__global__ void __launch_bounds__(search_threads)
    expand_search_kernel(ExpandArgs args, const std::uint32_t* __restrict__ ends) {
  __shared__ std::uint32_t owner[2];  // of the first and of the last slot
  const std::uint32_t total = ends[args.n - 1];
  const std::uint32_t places = total < args.capacity ? total : args.capacity;
  if (global_thread() == 0) *args.total = total;
  for (std::uint32_t tile = blockIdx.x; tile < ceil_div(places, search_tile); tile += gridDim.x) {
    const std::uint32_t begin = tile * search_tile;
    const std::uint32_t count = places - begin < search_tile ? places - begin : search_tile;
    if (threadIdx.x < 2)
      owner[threadIdx.x] =
          owner_of(threadIdx.x == 0 ? begin : begin + count - 1, ends, 0, args.n - 1);
    __syncthreads();
    for (std::uint32_t k = threadIdx.x; k < count; k += search_threads)
      args.out[begin + k] = owner_of(begin + k, ends, owner[0], owner[1]);
    __syncthreads();  // before the next search overwrites the owners
  }
}

}  // namespace

void expand_load_balanced(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  auto* ends = scratch.take<std::uint32_t>(args.n, "ends");
  scan_lookback_shared(stream, {.in = args.counts, .out = ends, .n = args.n, .inclusive = true},
                       scratch);
  if (scratch.measuring()) return;
  if (args.n == 0) return stream.fill(args.total, 0, sizeof(*args.total));
  // The host knows the most slots there can be; the kernel knows how many there are.
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  launch(stream, KERNEL(expand_search_kernel),
         Shape(std::clamp(ceil_div(args.capacity, search_tile), 1U, resident), search_threads),
         args, ends);
}

}  // namespace warpview::WARPVIEW_BACKEND
