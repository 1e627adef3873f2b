// Chains of tiles: each tile has a sum, that of its items and of all tiles before it.
#pragma once

#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

inline constexpr unsigned chain_tile = 32;  // items of a tile, and threads of a block

struct ChainArrays {
  std::uint32_t* next_ticket;
  std::uint32_t* flags;  // of tiles: 1 once the sum is there
  std::uint32_t* sums;   // up to the end of each tile
};
__device__ inline ChainArrays chain_arrays(const FaultArgs& args) {
  return {args.first, args.first + 1, args.second};
}

// Called by all threads of a block. Thread 0 gets the sum of the tile's items, other threads 0.
__device__ inline std::uint32_t sum_of_tile(const FaultArgs& args, std::uint32_t tile,
                                            std::uint32_t (&items)[chain_tile]) {
  items[threadIdx.x] = args.items[tile * chain_tile + threadIdx.x];
  __syncthreads();
  std::uint32_t sum = 0;
  if (threadIdx.x == 0)
    for (const std::uint32_t item : items) sum += item;
  return sum;
}

// A block for each tile.
template <class ChainKernel>
void launch_chain(Stream& stream, ChainKernel kernel, const FaultArgs& args) {
  launch(stream, kernel, one_thread_each(args.n, chain_tile), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
