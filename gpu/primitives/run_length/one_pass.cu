// Run-length encoding in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; CUB's DeviceRunLengthEncode works this way.
//
// The length of a run is the sum of a 1 for each of its items: this is reduce by key
// (gpu/primitives/reduce_by_key/one_pass.cu) with values that need no loads.

#include "gpu/primitives/reduce_by_key/run_tile.h"
#include "gpu/primitives/run_length/run_length.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Every value is 1: sums are lengths.
struct Ones {
  template <class Rows, unsigned rows>
  __device__ static void load(block::Vector<std::uint32_t> (&row)[rows], std::uint32_t tile,
                              std::uint32_t n) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      UNROLL
      for (unsigned k = 0; k < row[r].size; ++k)
        row[r].item[k] = Rows::first(tile, r) + k < n ? 1 : 0;
    }
  }
};

using TileOfOnes = runs::RunTile<SumU32, Ones>;
using Run = Stretch<std::uint32_t>;

__global__ void RESIDENT_BLOCKS(runs::threads, runs::blocks_each)
    measure_runs_kernel(const std::uint32_t* keys, bool aligned, Ones ones, std::uint32_t n,
                        runs::Output<std::uint32_t> out,
                        block::PackedStretches<std::uint32_t> states) {
  __shared__ std::uint32_t ticket;
  __shared__ TileOfOnes::Storage storage;
  __shared__ Run shared_before;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  TileOfOnes tile(keys, aligned, ones, n, number);
  const Run sum = tile.scan(storage);
  if (threadIdx.x == 0) block::publish_sum(states, number, sum);
  // The tile goes to shared memory before the look-back: while it waits it occupies no registers.
  tile.stage(storage);
  if (warp::index() == 0) {
    const Run before = block::before_tile<TileOfOnes::Op>(states, number, sum);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  const Run before = shared_before;
  TileOfOnes::write(before, sum, out, storage);
  if (number == gridDim.x - 1 && threadIdx.x == 0)
    runs::write_last_run(TileOfOnes::Op::combine(before, sum), out);
}

}  // namespace

void run_length_one_pass(Stream& stream, const RunLengthArgs& args, Scratch& scratch) {
  const runs::Output<std::uint32_t> out{args.keys_out, args.lengths, args.count};
  runs::in_one_pass<TileOfOnes>(stream, args.keys, Ones(), args.n, out, scratch,
                                KERNEL(measure_runs_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
