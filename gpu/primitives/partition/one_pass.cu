// Partition in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; CUB's DevicePartition works this way.
//
// One count serves both sides: of the i items before an item, i minus the number that pass do not
// pass. A block therefore looks back for one number, as in select
// (gpu/primitives/select/one_pass.cu), and fills the output from both ends. It partitions its tile
// in shared memory first, so that neighbouring threads write neighbouring words on both sides.

#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/select/passing_tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using select::PassingTile;

__global__ void RESIDENT_BLOCKS(select::threads, select::blocks_each)
    partition_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most, bool aligned,
                     std::uint32_t* out, std::uint32_t* count, select::States states) {
  __shared__ std::uint32_t ticket;
  __shared__ PassingTile::Storage storage;
  __shared__ std::uint32_t parted[PassingTile::size];
  __shared__ std::uint32_t shared_before;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  PassingTile tile(in, n, at_most, aligned, number);
  const std::uint32_t passing = tile.scan(storage);

  if (threadIdx.x == 0) block::publish_sum(states, number, passing);
  // The tile goes to shared memory before the look-back: while it waits it occupies no registers.
  tile.visit([passing](std::uint32_t item, bool passes, std::uint32_t rank) {
    parted[passes ? rank : passing + rank] = item;
  });
  if (warp::index() == 0) {
    const std::uint32_t before = block::before_tile<SumU32>(states, number, passing);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  const std::uint32_t begin = number * PassingTile::size;
  const std::uint32_t items = n - begin < PassingTile::size ? n - begin : PassingTile::size;
  const std::uint32_t others_before = begin - shared_before;
  for (std::uint32_t j = threadIdx.x; j < items; j += select::threads)
    out[j < passing ? shared_before + j : n - 1 - (others_before + j - passing)] = parted[j];
  if (number == gridDim.x - 1 && threadIdx.x == 0) *count = shared_before + passing;
}

}  // namespace

void partition_one_pass(Stream& stream, const PartitionArgs& args, Scratch& scratch) {
  select::in_one_pass(stream, args, scratch, KERNEL(partition_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
