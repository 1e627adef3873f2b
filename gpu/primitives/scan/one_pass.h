// The host function of the scans in one pass. They differ in how a block gets its tile's exclusive
// prefix, and in where the tile waits for it: see chained.cu, lookback_lane.cu, lookback.cu and
// lookback_shared.cu.
#pragma once

#include "gpu/block/lookback.h"
#include "gpu/block/ticket.h"
#include "gpu/primitives/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND::scan {

// Launches the kernel with one block per tile, and with cleared states. Each item is read and
// written once, the minimum.
template <class Operator, class OneTile = Tile<Operator>, class States>
void in_one_pass(Stream& stream, const ScanArgs& args, Scratch& scratch,
                 Kernel<Arrays<typename Operator::Type>, States> kernel) {
  const std::uint32_t tiles = OneTile::count(args.n);
  const auto states = States::take(scratch, tiles);
  if (scratch.measuring() || tiles == 0) return;
  states.clear(stream, tiles);
  launch(stream, kernel, Shape(tiles, threads), Arrays<typename Operator::Type>(args), states);
}

}  // namespace warpview::WARPVIEW_BACKEND::scan
