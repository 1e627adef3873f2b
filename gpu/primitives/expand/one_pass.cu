// Expansion in one pass, by decoupled look-back.
//
//   D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
//   technical report NVR-2016-002, 2016.
//   The talk "Scan with decoupled look-back and Onesweep radix sort": allocation by scan.
//
// Where an item's places begin is a prefix sum that nobody needs to see. A block adds up what its
// tile asks for, learns by look-back what all tiles before asked for, and writes while it still has
// the counts in registers. So an allocation by scan costs what one by an atomic does, one look at
// each count, and leaves everything in order.

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
