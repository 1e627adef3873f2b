// The prefix sum in one pass, with two words of state: a waterfall.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Waterfall.
//
// One word holds the sum of all tiles that had their turn, another holds the number of the tile
// whose turn it is. A block scans its tile, waits for its turn, takes the sum as its exclusive
// prefix, adds its aggregate and passes the turn on. This is the chain of chained.cu without a
// state for each tile: for any number of tiles, only the counters must be cleared. In exchange all
// waiting blocks poll the same word, and none can look back past it.
//
// A third word is the ticket. With blockIdx instead, the waterfall would run dry wherever blocks do
// not start in order: a waiting block could keep the block it waits for from starting.

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The state that all blocks share, in the form that scan::in_one_pass expects.
template <class T>
struct Waterfall {
  T* sum;                   // of the tiles before *turn; undefined at the start
  std::uint32_t* counters;  // the turn and the ticket

  static Waterfall take(Scratch& scratch, std::uint32_t /*tiles*/) {
    return {scratch.take<T>(1, "sum"), scratch.take<std::uint32_t>(2, "counters")};
  }
  void clear(Stream& stream, std::uint32_t /*tiles*/) const {
    stream.fill(counters, 0, 2 * sizeof(*counters));
  }
  __device__ std::uint32_t* turn() const { return &counters[0]; }
  __device__ std::uint32_t* ticket() const { return &counters[1]; }

  // Called by one thread of each tile's block: waits for the tile's turn, and returns its exclusive
  // prefix. A thread that acquires the turn sees the sum that was written before its release.
  template <class Operator>
  __device__ T pass_on(std::uint32_t tile, const T& of_tile) const {
    for (Spin spin; load_acquire(turn()) != tile;) spin.back_off();
    const T before = tile > 0 ? *sum : Operator::identity();
    *sum = Operator::combine(before, of_tile);
    store_release(turn(), tile + 1);
    return before;
  }
};

template <class Operator, class Shared>
__global__ void __launch_bounds__(scan::threads)
    waterfall_scan_kernel(scan::Arrays<typename Operator::Type> arrays, Shared shared) {
  __shared__ std::uint32_t ticket;
  __shared__ typename scan::Tile<Operator>::Storage storage;
  __shared__ typename Operator::Type before;
  const std::uint32_t number = block::take_ticket(shared.ticket(), ticket);
  scan::Tile<Operator> tile(arrays, number);
  const auto of_tile = tile.scan(storage);
  if (threadIdx.x == 0) before = shared.template pass_on<Operator>(number, of_tile);
  __syncthreads();
  tile.store(before);
}

}  // namespace

void scan_waterfall(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using Shared = Waterfall<typename Operator::Type>;
    scan::in_one_pass<Operator>(stream, args, scratch,
                                KERNEL(waterfall_scan_kernel<Operator, Shared>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
