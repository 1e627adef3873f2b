// Scan then propagate: the prefix sum in three kernels a level.
//
// M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
//
//   1. every block scans its own tile and leaves the tile's sum;
//   2. the sums are scanned, by the same function;
//   3. every block adds what came before its tile.
//
// Each item is read and written twice: 16 bytes an item where one pass would need 8.

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"
#include "gpu/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using scan::tile::items_each;
using scan::tile::threads;
constexpr std::uint32_t tile_size = scan::tile::size;

// Scans each tile on its own. tile_sums[tile] is the tile's sum, if wanted.
__global__ void __launch_bounds__(threads)
    scan_tiles_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n, bool inclusive,
                      std::uint32_t* tile_sums) {
  const std::uint32_t sum = scan::tile::scan_from(in, out, n, inclusive, 0);
  if (tile_sums && threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}

// Adds to each item of a tile the sum of all tiles before it.
__global__ void __launch_bounds__(threads)
    propagate_kernel(std::uint32_t* out, std::uint32_t n, const std::uint32_t* sums_before) {
  const std::uint32_t begin = blockIdx.x * tile_size;
  const std::uint32_t before = sums_before[blockIdx.x];
  for (unsigned row = 0; row < items_each; ++row) {
    const std::uint32_t i = begin + row * threads + threadIdx.x;
    if (i < n) out[i] += before;
  }
}

}  // namespace

void scan_hierarchical(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = args.n / tile_size + (args.n % tile_size != 0);
  std::uint32_t* sums = tiles > 1 ? workspace.take<std::uint32_t>(tiles) : nullptr;
  const ScanArgs of_sums{.in = sums, .out = sums, .n = tiles, .inclusive = false};

  if (!workspace.measuring())
    launch(stream, KERNEL(scan_tiles_kernel), Shape(tiles, threads), args.in, args.out, args.n,
           args.inclusive, sums);
  if (tiles <= 1) return;
  scan_hierarchical(stream, of_sums, workspace);
  if (!workspace.measuring())
    launch(stream, KERNEL(propagate_kernel), Shape(tiles, threads), args.out, args.n, sums);
}

}  // namespace warpview::WARPVIEW_BACKEND
