// missing_fence and block_index: tiles in a row, each waiting for its predecessor's sum.
#include "gpu/block/ticket.h"
#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned threads = 32;  // and items of a tile

struct Chain {
  bool writer_fences = true;
  bool reader_fences = true;
  bool by_ticket = true;
};

template <Chain chain>
__global__ void chain_kernel(FaultArgs args) {
  std::uint32_t* const next_ticket = args.first;
  std::uint32_t* const flags = args.first + 1;
  std::uint32_t* const sums = args.second;
  __shared__ std::uint32_t ticket;
  __shared__ std::uint32_t items[threads];
  const std::uint32_t tile = chain.by_ticket ? block::take_ticket(next_ticket, ticket) : blockIdx.x;
  items[threadIdx.x] = args.items[tile * threads + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;

  std::uint32_t sum = 0;
  for (const std::uint32_t item : items) sum += item;
  if (tile > 0) {
    for (Spin spin; load_relaxed(&flags[tile - 1]) == 0;) spin.back_off();
    if constexpr (chain.reader_fences) __threadfence();
    sum += sums[tile - 1];
  }
  sums[tile] = sum;
  if constexpr (chain.writer_fences) __threadfence();
  store_relaxed(&flags[tile], 1U);
  args.out[tile] = sum;
}

template <Chain chain>
void run(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(chain_kernel<chain>), Shape(args.n / threads, threads), args);
}

}  // namespace

void missing_fence_writer(Stream& stream, const FaultArgs& args) {
  run<Chain{.writer_fences = false}>(stream, args);
}
void missing_fence_reader(Stream& stream, const FaultArgs& args) {
  run<Chain{.reader_fences = false}>(stream, args);
}
void missing_fence_right(Stream& stream, const FaultArgs& args) { run<Chain{}>(stream, args); }
void block_index_wrong(Stream& stream, const FaultArgs& args) {
  run<Chain{.by_ticket = false}>(stream, args);
}
void block_index_right(Stream& stream, const FaultArgs& args) { run<Chain{}>(stream, args); }

}  // namespace warpview::WARPVIEW_BACKEND
