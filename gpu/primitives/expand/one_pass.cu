// Expansion in one pass, by decoupled look-back.
//
//   D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
//   technical report NVR-2016-002, 2016.
//   The talk "Scan with decoupled look-back and Onesweep radix sort": allocation by scan.
//
// The beginnings of the items' slots are a prefix sum that never needs to reach memory. A block
// sums what its tile requests, finds its exclusive prefix by look-back, and writes while the counts
// are still in registers. An allocation by scan thus costs as much as one by an atomic, one read of
// each count, and keeps everything in order.

#include "gpu/block/lookback.h"
#include "gpu/block/ticket.h"
#include "gpu/primitives/expand/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using PlacesStates = block::PackedStates<std::uint32_t>;

__global__ void __launch_bounds__(expand::threads)
    expand_one_pass_kernel(ExpandArgs args, bool aligned, PlacesStates states) {
  __shared__ std::uint32_t ticket;
  __shared__ expand::Tile::Storage storage;
  __shared__ std::uint32_t begin;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  expand::Tile tile(args, aligned, number);
  const std::uint32_t places = tile.sum(storage);
  if (threadIdx.x == 0) block::publish_sum(states, number, places);
  if (warp::index() == 0) {
    const std::uint32_t before = block::before_tile<SumU32>(states, number, places);
    if (warp::lane() == 0) begin = before;
  }
  __syncthreads();
  tile.write(begin);
  if (number == gridDim.x - 1 && threadIdx.x == 0) *args.total = begin + places;
}

}  // namespace

void expand_one_pass(Stream& stream, const ExpandArgs& args, Scratch& scratch) {
  const std::uint32_t tiles = expand::Tile::Rows::tiles(args.n);
  const auto states = PlacesStates::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile.
  if (args.n == 0) return stream.fill(args.total, 0, sizeof(*args.total));
  states.clear(stream, tiles);
  launch(stream, KERNEL(expand_one_pass_kernel), Shape(tiles, expand::threads), args,
         block::is_aligned(args.counts), states);
}

}  // namespace warpview::WARPVIEW_BACKEND
