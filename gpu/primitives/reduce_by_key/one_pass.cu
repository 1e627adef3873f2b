// Reduce by key in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; CUB's DeviceReduce::ReduceByKey works this way. The
// operator: J. Schwartz, "Ultracomputers", 1980; G. Blelloch, "Prefix Sums and Their Applications",
// 1990, segmented scan.
//
// One scan answers both questions. The number of runs that begin before an item gives the place of
// its run; the sum of the values since the last head gives the run's sum. The two form one pair,
// and pairs combine associatively: counts are added, and the earlier sum is kept only if no run
// begins in the later stretch. A count has at most 31 bits, so that pair and flag share a word
// (PackedStretches in gpu/block/lookback.h), and no fence is needed.
//
// Keys and values are read once, and a run is written once: its key by its first item, its sum by
// the first item of the next run, whose exclusive prefix contains it.

#include "gpu/primitives/reduce_by_key/run_tile.h"
#include "gpu/primitives/reduce_by_key/sums.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Values in memory.
template <class T>
struct Loaded {
  const T* values;
  bool aligned;

  template <class Rows, unsigned rows>
  __device__ void load(block::Vector<T> (&row)[rows], std::uint32_t tile, std::uint32_t n) const {
    block::load_rows<Rows>(row, values, tile, n, aligned, T{});
  }
};

template <class Operator, class Value = typename Operator::Type>
__global__ void RESIDENT_BLOCKS(runs::threads, runs::blocks_each)
    reduce_runs_kernel(const std::uint32_t* keys, bool aligned, Loaded<Value> values,
                       std::uint32_t n, runs::Output<Value> out,
                       block::PackedStretches<Value> states) {
  using Tile = runs::RunTile<Operator, Loaded<Value>>;
  using Op = typename Tile::Op;
  __shared__ std::uint32_t ticket;
  __shared__ typename Tile::Storage storage;
  __shared__ Stretch<Value> shared_before;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  Tile tile(keys, aligned, values, n, number);
  const Stretch<Value> sum = tile.scan(storage);
  if (threadIdx.x == 0) block::publish_sum(states, number, sum);
  // The tile goes to shared memory before the look-back: while it waits it occupies no registers.
  tile.stage(storage);
  if (warp::index() == 0) {
    const Stretch<Value> before = block::before_tile<Op>(states, number, sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  const Stretch<Value> before = shared_before;
  Tile::write(before, sum, out, storage);
  if (number == gridDim.x - 1 && threadIdx.x == 0)
    runs::write_last_run(Op::combine(before, sum), out);
}

}  // namespace

void reduce_by_key_one_pass(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  runs::with_sum(args.sum, [&](auto op) {
    using Operator = decltype(op);
    using Value = typename Operator::Type;
    using Tile = runs::RunTile<Operator, Loaded<Value>>;
    const auto* values = static_cast<const Value*>(args.values);
    const runs::Output<Value> out{args.keys_out, static_cast<Value*>(args.sums), args.count};
    runs::in_one_pass<Tile>(stream, args.keys, Loaded<Value>{values, block::is_aligned(values)},
                            args.n, out, scratch, KERNEL(reduce_runs_kernel<Operator>));
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
