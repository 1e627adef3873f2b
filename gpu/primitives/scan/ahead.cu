// The prefix sum in one pass: workers reduce tiles ahead of writing them, and one scanner block
// scans the sums.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016, for the one pass; the scanner is our own
// (gpu/block/ahead.h).
//
// When a block is about to write a tile, both the tile and its exclusive prefix have already
// arrived: blocks wait for nothing but memory bandwidth. A block reads each tile twice in shared
// memory. The first time it only reduces the tile; it computes the prefixes within the tile when it
// writes it.

#include "gpu/block/arrivals.h"
#include "gpu/block/tuning.h"
#include "gpu/primitives/scan/tile.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator>
struct ScanAhead {
  using T = typename Operator::Type;
  using Vector = block::Vector<T>;
  using Chosen = block::Tuning::Scan;
  // Keeps the number of bytes where an item is larger than a vector.
  static constexpr unsigned larger = sizeof(Vector) / 16;
  static constexpr unsigned rows = Chosen::rows > larger ? Chosen::rows / larger : 1;
  static constexpr unsigned blocks_each =  // sums need more registers, too
      larger > 1 && Chosen::blocks_each > 1 ? Chosen::blocks_each - 1 : Chosen::blocks_each;
  using Tuning =
      block::AheadTuning<Chosen::threads, rows, Chosen::stages, Chosen::lead, blocks_each>;
  using Rows = block::Rows<T, Tuning::threads, rows>;
  using Arrivals = block::Arrivals<T, Tuning::threads, Rows::tile_size, Tuning::stages>;
  using States = block::StatesOf<T>;

  struct Storage {
    typename Arrivals::Storage tiles;
    block::AheadStorage<T, Tuning::threads> ahead;
  };

  // This lane's items of a row.
  __device__ static Vector& row(T* tile, unsigned r) {
    return *reinterpret_cast<Vector*>(tile + Rows::first(0, r));
  }

  // The tile's aggregate: before this warp's stretch, and in all. One barrier.
  __device__ static block::Prefix<T> sum(T* tile, Storage& storage) {
    T of_warp = Operator::identity();
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      T of_lane = scan::combined<Operator>(row(tile, r));
      // For non-commutative operators: a lane's rows are not adjacent, other lanes' items lie in
      // between.
      if constexpr (!Operator::commutative)
        of_lane = warp::reduce_in_order(of_lane, Combine<Operator>());
      of_warp = Operator::combine(of_warp, of_lane);
    }
    if constexpr (Operator::commutative) of_warp = warp::reduce(of_warp, Combine<Operator>());
    return block::scan_warps<Operator>(of_warp, storage.ahead.scan);
  }

  // Writes the prefixes, given the exclusive prefix of this warp's stretch.
  __device__ static void write(T* items, std::uint32_t tile, T before,
                               const scan::Arrays<T>& arrays) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      Vector prefixes = row(items, r);
      const T own = scan::combined<Operator>(prefixes);
      const T upto = warp::inclusive_scan(own, Combine<Operator>());
      scan::make_prefixes<Operator>(
          prefixes, Operator::combine(before, warp::before_lane<Operator>(upto, own)),
          arrays.inclusive);
      block::store_row<Rows>(arrays.out, tile, r, arrays.n, arrays.aligned, prefixes);
      const T of_row = warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
      before = Operator::combine(before, of_row);
    }
  }
};

template <class Operator, class T = typename Operator::Type>
__global__ void RESIDENT_BLOCKS(ScanAhead<Operator>::Tuning::threads,
                                ScanAhead<Operator>::Tuning::blocks_each)
    ahead_scan_kernel(scan::Arrays<T> arrays, block::StatesOf<T> states, std::uint32_t tiles) {
  using Ahead = ScanAhead<Operator>;
  LARGE_SHARED(typename Ahead::Storage, storage);
  typename Ahead::Arrivals arrivals(storage.tiles, arrays.in, arrays.n, arrays.aligned,
                                    Operator::identity());
  arrivals.begin();
  __syncthreads();
  block::work_ahead<Operator, typename Ahead::Tuning>(
      states, tiles, storage.ahead, [&](unsigned k, std::uint32_t tile) { arrivals.ask(k, tile); },
      [&](unsigned k, std::uint32_t tile) { return Ahead::sum(arrivals.wait(k, tile), storage); },
      [](unsigned, std::uint32_t) {},
      [&](unsigned k, std::uint32_t tile, T before, const block::Prefix<T>& sum) {
        Ahead::write(arrivals.stage(k), tile, Operator::combine(before, sum.before), arrays);
      });
}

}  // namespace

void scan_ahead(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using Ahead = ScanAhead<Operator>;
    using Storage = typename Ahead::Storage;
    const auto kernel = KERNEL(ahead_scan_kernel<Operator>);
    const std::uint32_t resident =
        block::blocks_ahead<typename Ahead::Tuning>(stream, kernel, sizeof(Storage));
    if (resident == 0) {
      // Floats: one more pass keeps the order of additions.
      if (std::is_floating_point_v<typename Operator::Type>)
        return scan_reduce_then_scan(stream, args, scratch);
      return scan_lookback_shared(stream, args, scratch);
    }
    const std::uint32_t tiles = Ahead::Rows::tiles(args.n);
    const auto states = Ahead::States::take(scratch, tiles);
    if (scratch.measuring() || tiles == 0) return;
    block::launch_ahead<typename Ahead::Tuning>(
        stream, states, tiles, resident, kernel, sizeof(Storage),
        scan::Arrays<typename Operator::Type>(args), states, tiles);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
