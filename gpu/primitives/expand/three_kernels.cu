// Expansion in three kernels: count, scan, write.
//
//   G. Blelloch, "Prefix Sums and Their Applications", 1990.
//   The talk "Scan with decoupled look-back and Onesweep radix sort": allocation by scan.
//
//   1. every block sums the slots that its tile of items requests;
//   2. the exclusive sum of these sums gives where each tile's slots begin;
//   3. every block sums its tile again, item by item, and writes.
//
// The counts are read twice. Blocks wait for each other only at the end of a launch, and the result
// is deterministic: an item's slots are the same in every run.

#include "gpu/primitives/expand/tile.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(expand::threads)
    sum_places_kernel(ExpandArgs args, bool aligned, std::uint32_t* sums) {
  __shared__ expand::Tile::Storage storage;
  const std::uint32_t places = expand::Tile(args, aligned, blockIdx.x).sum(storage);
  if (threadIdx.x == 0) sums[blockIdx.x] = places;
}

__global__ void __launch_bounds__(expand::threads)
    write_places_kernel(ExpandArgs args, bool aligned, const std::uint32_t* begins) {
  __shared__ expand::Tile::Storage storage;
  expand::Tile tile(args, aligned, blockIdx.x);
  const std::uint32_t places = tile.sum(storage);
  const std::uint32_t begin = begins[blockIdx.x];
  tile.write(begin);
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *args.total = begin + places;
}

}  // namespace

void expand_three_kernels(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  const std::uint32_t tiles = expand::Tile::Rows::tiles(args.n);
  auto* sums = scratch.take<std::uint32_t>(tiles, "sums");
  const bool aligned = block::is_aligned(args.counts);
  const Shape shape(tiles, expand::threads);
  if (!scratch.measuring()) {
    // Without items there is no last tile.
    if (args.n == 0) return stream.fill(args.total, 0, sizeof(*args.total));
    launch(stream, KERNEL(sum_places_kernel), shape, args, aligned, sums);
  }
  scan_lookback_shared(stream, {.in = sums, .out = sums, .n = tiles}, scratch);
  if (!scratch.measuring()) launch(stream, KERNEL(write_places_kernel), shape, args, aligned, sums);
}

}  // namespace warpview::WARPVIEW_BACKEND
