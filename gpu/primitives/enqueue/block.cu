// One atomic per block.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue.
//
// This takes the step from one atomic per item to one per warp once more. A thread reads several
// items and counts how many it will enqueue, a scan over the block ranks the threads, and one
// thread takes the places of the whole tile. One atomic serves 2048 items, at the price of two
// barriers and of registers that keep the items meanwhile.
#include "gpu/block/scan.h"
#include "gpu/primitives/enqueue/queue.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned enqueue_threads = tile_extent(256, 64);
constexpr unsigned items_each = tile_extent(8, 2);
constexpr std::uint32_t tile_size = enqueue_threads * items_each;

__global__ void __launch_bounds__(enqueue_threads) enqueue_block_kernel(EnqueueArgs args) {
  __shared__ block::SumStorage<enqueue_threads> storage;
  __shared__ std::uint32_t shared_begin;

  // Neighbouring threads read neighbouring items. Items beyond the last one are ~0, which passes no
  // test: it is less than no limit.
  const std::uint32_t first = blockIdx.x * tile_size + threadIdx.x;
  std::uint32_t items[items_each];
  std::uint32_t wanted = 0;
  UNROLL
  for (unsigned k = 0; k < items_each; ++k) {
    const std::uint32_t i = first + k * enqueue_threads;
    items[k] = i < args.n ? args.in[i] : ~0U;
    wanted += enqueue::items_of(args, items[k]);
  }

  const auto [rank, total] = block::exclusive_sum(wanted, storage);
  if (threadIdx.x == 0 && total > 0) shared_begin = atomicAdd(&args.counts[0], total);
  __syncthreads();

  std::uint32_t place = shared_begin + rank;
  UNROLL
  for (unsigned k = 0; k < items_each; ++k) {
    enqueue::put_items(args, place, items[k]);
    place += enqueue::items_of(args, items[k]);
  }
}

}  // namespace

void enqueue_block(Stream& stream, const EnqueueArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  enqueue::start(stream, args, {EnqueueMode::passing, EnqueueMode::up_to_two});
  const std::uint32_t tiles = args.n / tile_size + (args.n % tile_size != 0);
  launch(stream, KERNEL(enqueue_block_kernel), Shape(tiles, enqueue_threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
