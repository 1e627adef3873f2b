// What the scans in one pass share: a block scans one tile in registers, learns what all tiles
// before it combine to, and writes. They differ in how it learns that (`Search`: see chained.cu,
// lookback_lane.cu, and WarpLooksBack in lookback.h) and in how tiles publish (`States`).
#pragma once

#include "gpu/scan/lookback.h"
#include "gpu/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND::scan {

template <class Operator, class Search, class States>
__global__ void __launch_bounds__(threads)
    one_pass_kernel(Arrays<typename Operator::Type> arrays, States states) {
  using T = typename Operator::Type;
  __shared__ T shared_before;
  const std::uint32_t number = take_tile(states);
  Tile<Operator> tile(arrays, number);
  const T sum = tile.scan();
  if (warp::index() == 0) {
    const T before = Search::template before<Operator>(states, number, sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();
  tile.store(shared_before);
}

// The host function of these scans. Reads and writes each item once, the least possible.
template <class Operator, class Search, class States = StatesOf<typename Operator::Type>>
void one_pass(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = Tile<Operator>::count(args.n);
  const auto states = States::take(workspace, tiles);
  if (workspace.measuring() || tiles == 0) return;
  states.clear(stream, tiles);
  launch(stream, Kernel{&one_pass_kernel<Operator, Search, States>, Search::kernel_name},
         Shape(tiles, threads), args, states);
}

// The same by the operator that is asked for.
template <class Search>
void one_pass_by_operator(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  with_operator(args.combine,
                [&](auto op) { one_pass<decltype(op), Search>(stream, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND::scan
