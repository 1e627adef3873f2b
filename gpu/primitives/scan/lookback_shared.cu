// The prefix sum in one pass: decoupled look-back, with tiles that wait in shared memory.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016.
//
// As in lookback.cu, a block reduces its tile, publishes the aggregate, and looks back over its
// predecessors. During the look-back its tile waits, and the block issues no further loads. To keep
// memory busy all the same, an SM must have many bytes in flight: those of other blocks. Registers
// are the wrong place for a waiting tile, since the most that a thread may ever need is reserved
// for it all the time. Here the tile waits in shared memory, its items pass through few registers,
// and more bytes fit on an SM.
//
// A thread reads back only what it wrote itself, so no barrier is needed in between. The prefixes
// within the tile are computed only when the tile is written: until then its sum is enough.

#include "gpu/primitives/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator>
class WaitingTile {
  using T = typename Operator::Type;
  using Vector = block::Vector<T>;
  static constexpr unsigned rows = tile_extent(sizeof(T) <= sizeof(Vector) / 2 ? 8U : 4U, 2U);
  using Rows = block::Rows<T, scan::threads, rows>;

 public:
  struct Storage {
    block::ScanStorage<T, scan::threads> scan;
    Vector items[rows][scan::threads];
  };
  // Blocks that an SM should hold: bounds the registers.
  static constexpr unsigned blocks_each = sizeof(T) == 4 ? 6 : 2;

  static std::uint32_t count(std::uint32_t n) { return Rows::tiles(n); }

  // Reads the tile into shared memory.
  __device__ WaitingTile(const scan::Arrays<T>& arrays, std::uint32_t tile, Storage& storage)
      : arrays_(arrays), tile_(tile), storage_(storage) {
    Vector items[rows];
    block::load_rows<Rows>(items, arrays.in, tile, arrays.n, arrays.aligned, Operator::identity());
    UNROLL
    for (unsigned r = 0; r < rows; ++r) storage.items[r][threadIdx.x] = items[r];
  }

  // The tile's aggregate; prepares `store`. One barrier.
  __device__ T sum() {
    T of_warp = Operator::identity();
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      T of_lane = scan::combined<Operator>(storage_.items[r][threadIdx.x]);
      // For non-commutative operators: a lane's rows are not adjacent, other lanes' items lie in
      // between.
      if constexpr (!Operator::commutative)
        of_lane = warp::reduce_in_order(of_lane, Combine<Operator>());
      of_warp = Operator::combine(of_warp, of_lane);
    }
    if constexpr (Operator::commutative) of_warp = warp::reduce(of_warp, Combine<Operator>());
    const block::Prefix<T> prefix = block::scan_warps<Operator>(of_warp, storage_.scan);
    before_warp_ = prefix.before;
    return prefix.all;
  }

  // Writes the prefixes, given the tile's exclusive prefix.
  __device__ void store(T before) const {
    before = Operator::combine(before, before_warp_);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      Vector items = storage_.items[r][threadIdx.x];
      const T own = scan::combined<Operator>(items);
      const T upto = warp::inclusive_scan(own, Combine<Operator>());
      scan::make_prefixes<Operator>(
          items, Operator::combine(before, warp::before_lane<Operator>(upto, own)),
          arrays_.inclusive);
      block::store_row<Rows>(arrays_.out, tile_, r, arrays_.n, arrays_.aligned, items);
      const T of_row = warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
      before = Operator::combine(before, of_row);
    }
  }

 private:
  const scan::Arrays<T>& arrays_;
  std::uint32_t tile_;
  Storage& storage_;
  T before_warp_;
};

template <class Operator, class States>
__global__ void RESIDENT_BLOCKS(scan::threads, WaitingTile<Operator>::blocks_each)
    lookback_shared_scan_kernel(scan::Arrays<typename Operator::Type> arrays, States states) {
  using T = typename Operator::Type;
  __shared__ std::uint32_t ticket;
  __shared__ typename WaitingTile<Operator>::Storage storage;
  __shared__ T shared_before;

  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  WaitingTile<Operator> tile(arrays, number, storage);
  const T sum = tile.sum();
  if (threadIdx.x == 0) block::publish_sum(states, number, sum);
  if (warp::index() == 0) {
    const T before = block::before_tile<Operator>(states, number, sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();
  tile.store(shared_before);
}

}  // namespace

void scan_lookback_shared(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) {
    using Operator = decltype(op);
    using States = block::StatesOf<typename Operator::Type>;
    scan::in_one_pass<Operator, WaitingTile<Operator>>(
        stream, args, scratch, KERNEL(lookback_shared_scan_kernel<Operator, States>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
