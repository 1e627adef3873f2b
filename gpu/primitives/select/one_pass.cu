// Select in one pass, by decoupled look-back.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016; CUB's DeviceSelect works this way.
//
// An item's place is the number of items before it that pass: a prefix sum over 0 or 1 that never
// needs to reach memory. A block counts the items that pass in its tile, finds its exclusive prefix
// by look-back, and writes its items, which it still holds. Items are read once, and those that
// pass are written once.
//
// The items wait in shared memory, each at its rank, so that neighbouring threads write
// neighbouring words however few of the items pass.

#include "gpu/primitives/select/passing_tile.h"
#include "gpu/primitives/select/select.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using select::PassingTile;

__global__ void RESIDENT_BLOCKS(select::threads, select::blocks_each)
    select_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most, bool aligned,
                  std::uint32_t* out, std::uint32_t* count, select::States states) {
  __shared__ std::uint32_t ticket;
  __shared__ PassingTile::Storage storage;
  __shared__ std::uint32_t kept[PassingTile::size];
  __shared__ std::uint32_t shared_before;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  PassingTile tile(in, n, at_most, aligned, number);
  const std::uint32_t passing = tile.scan(storage);

  if (threadIdx.x == 0) block::publish_sum(states, number, passing);
  // The tile goes to shared memory before the look-back: while it waits it occupies no registers.
  tile.visit([](std::uint32_t item, bool passes, std::uint32_t rank) {
    if (passes) kept[rank] = item;
  });
  if (warp::index() == 0) {
    const std::uint32_t before = block::before_tile<SumU32>(states, number, passing);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  for (std::uint32_t j = threadIdx.x; j < passing; j += select::threads)
    out[shared_before + j] = kept[j];
  if (number == gridDim.x - 1 && threadIdx.x == 0) *count = shared_before + passing;
}

}  // namespace

void select_one_pass(Stream& stream, const SelectArgs& args, Scratch& scratch) {
  select::in_one_pass(stream, args, scratch, KERNEL(select_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
