#include "gpu/block/ticket.h"
#include "gpu/faults/kernels/chain.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void chain_b_kernel(FaultArgs args) {
  const ChainArrays chain = chain_arrays(args);
  __shared__ std::uint32_t ticket;
  __shared__ std::uint32_t items[chain_tile];
  const std::uint32_t tile = block::take_ticket(chain.next_ticket, ticket);
  std::uint32_t sum = sum_of_tile(args, tile, items);
  if (threadIdx.x != 0) return;

  if (tile > 0) {
    for (Spin spin; load_relaxed(&chain.flags[tile - 1]) == 0;) spin.back_off();
    sum += chain.sums[tile - 1];
  }
  chain.sums[tile] = sum;
  __threadfence();
  store_relaxed(&chain.flags[tile], 1U);
  args.out[tile] = sum;
}

}  // namespace

void chain_b(Stream& stream, const FaultArgs& args) {
  launch_chain(stream, KERNEL(chain_b_kernel), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
