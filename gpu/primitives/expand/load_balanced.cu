// Expansion with a thread for every place, which looks for the item that it belongs to.
//
//   The talk "Scan with decoupled look-back and Onesweep radix sort": allocation by scan.
//   S. Baxter, moderngpu: load-balancing search.
//
//   1. the inclusive sum of the counts says where each item's places end;
//   2. the owner of a place is the first item whose places end behind it: a binary search.
//
// With a thread for every item (tile.h) a warp is done when its longest loop is, and writes 32
// words far apart in each turn. Here every thread writes the same number of words, neighbours write
// neighbours, and it does not matter how unevenly the items ask. The price is the search, and the
// sums, which travel through memory.
//
// A block looks in all of the items for the owners of its first and its last place alone. What lies
// between is what the others search.

#include <algorithm>

#include "gpu/primitives/expand/expand.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned search_threads = tile_extent(256, 64);
constexpr unsigned places_each = tile_extent(8, 2);
constexpr std::uint32_t search_tile = search_threads * places_each;

// The first item of [low, high] whose places end behind `place`; there is one.
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

// Any number of blocks will do; they share the tiles of places.
__global__ void __launch_bounds__(search_threads)
    expand_search_kernel(ExpandArgs args, const std::uint32_t* __restrict__ ends) {
  __shared__ std::uint32_t owner[2];  // of the first place and of the last
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
    __syncthreads();  // the owners are looked for again
  }
}

}  // namespace

void expand_load_balanced(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  auto* ends = scratch.take<std::uint32_t>(args.n, "ends");
  scan_lookback_shared(stream, {.in = args.counts, .out = ends, .n = args.n, .inclusive = true},
                       scratch);
  if (scratch.measuring()) return;
  if (args.n == 0) return stream.fill(args.total, 0, sizeof(*args.total));
  // The host knows how many places there can be, and the kernel how many there are.
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  launch(stream, KERNEL(expand_search_kernel),
         Shape(std::clamp(ceil_div(args.capacity, search_tile), 1U, resident), search_threads),
         args, ends);
}

}  // namespace warpview::WARPVIEW_BACKEND
