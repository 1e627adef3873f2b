// What all block scans share: the bounds of a block's tile, and the launch.
#pragma once

#include <algorithm>
#include <string>

#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/block_scan/operators.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block_scan {

inline constexpr std::uint32_t largest_tile = 1024;

// The argument of every kernel. Block b scans items b * size to (b + 1) * size - 1. Items are
// numbered from the tile's beginning.
template <class Operator>
struct Tiles {
  using Word = typename Operator::Type;

  const Word* in;
  Word* out;
  std::uint32_t n;
  std::uint32_t size;
  bool inclusive;

  __device__ bool has(std::uint32_t i) const { return i < size && i < n - begin(); }
  // Items beyond the array's end are the identity.
  __device__ Word load(std::uint32_t i) const {
    return has(i) ? in[begin() + i] : Operator::identity();
  }
  __device__ void store(std::uint32_t i, Word sum) const {
    if (has(i)) out[begin() + i] = sum;
  }

 private:
  __device__ std::uint32_t begin() const { return blockIdx.x * size; }
};

// A variant's kernels, one for each operator.
struct Kernels {
  Kernel<Tiles<SumU32>> sum_u32;
  Kernel<Tiles<SumF32>> sum_f32;
  Kernel<Tiles<ComposeMaps>> compose_maps;
};

template <class Operator>
void launch_over(Stream& stream, const BlockScanArgs& args, unsigned threads,
                 Kernel<Tiles<Operator>> kernel) {
  using Word = typename Operator::Type;
  const std::uint32_t tiles = args.n / args.tile + (args.n % args.tile != 0);
  launch(stream, kernel, Shape(tiles, threads),
         Tiles<Operator>{.in = static_cast<const Word*>(args.in),
                         .out = static_cast<Word*>(args.out),
                         .n = args.n,
                         .size = args.tile,
                         .inclusive = args.inclusive});
}

inline void check(const BlockScanArgs& args) {
  if (args.tile < 2 || args.tile > largest_tile || (args.tile & (args.tile - 1)) != 0)
    throw Error("block scan with " + std::to_string(args.tile) + " items per block",
                "a tile is a power of two from 2 to " + std::to_string(largest_tile),
                "Choose such a tile");
  if (args.banks != 16 && args.banks != 32)
    throw Error("block scan for " + std::to_string(args.banks) + " banks of shared memory",
                "hardware has 16 or 32", "Choose one of these");
}

// The host function of a variant: one block of `threads` threads per tile. Takes no scratch memory.
inline void run(Stream& stream, const BlockScanArgs& args, const Scratch& scratch, unsigned threads,
                const Kernels& kernels) {
  check(args);
  if (scratch.measuring()) return;
  switch (args.operation) {
    case BlockScanOperation::sum_u32:
    case BlockScanOperation::sum_bits:
      return launch_over(stream, args, threads, kernels.sum_u32);
    case BlockScanOperation::sum_f32:
      return launch_over(stream, args, threads, kernels.sum_f32);
    case BlockScanOperation::compose_maps:
      return launch_over(stream, args, threads, kernels.compose_maps);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::block_scan
