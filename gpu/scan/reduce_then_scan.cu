// Reduce then scan: the tiles' sums first, then every tile once, from where it begins.
//
// Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan Algorithms on Graphics
// Processors", ICS 2008.
//
//   1. every block adds up its tile;
//   2. the sums are scanned, by the same function;
//   3. every block scans its tile, starting from what came before it.
//
// Items are read twice but written once: 12 bytes an item, where scan then propagate
// (hierarchical.cu) moves 16.

#include "gpu/runtime/kernel.h"
#include "gpu/scan/scan.h"
#include "gpu/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using scan::tile::items_each;
using scan::tile::threads;
constexpr std::uint32_t tile_size = scan::tile::size;

__global__ void __launch_bounds__(threads)
    sum_tiles_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t* tile_sums) {
  __shared__ std::uint32_t warp_sums[threads / warp::min_size];
  const std::uint32_t begin = blockIdx.x * tile_size;
  std::uint32_t sum = 0;
  UNROLL
  for (unsigned row = 0; row < items_each; ++row) {
    const std::uint32_t i = begin + row * threads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sum = warp::reduce(sum, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  if (warp::lane() == 0) warp_sums[warp::index()] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < threads / warp::size(); ++w) sum += warp_sums[w];
  tile_sums[blockIdx.x] = sum;
}

// sums_before null: there is one tile.
__global__ void __launch_bounds__(threads)
    scan_from_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n, bool inclusive,
                     const std::uint32_t* sums_before) {
  scan::tile::scan_from(in, out, n, inclusive, sums_before ? sums_before[blockIdx.x] : 0);
}

}  // namespace

void scan_reduce_then_scan(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = args.n / tile_size + (args.n % tile_size != 0);
  std::uint32_t* sums = tiles > 1 ? workspace.take<std::uint32_t>(tiles) : nullptr;
  if (tiles > 1) {
    if (!workspace.measuring())
      launch(stream, KERNEL(sum_tiles_kernel), Shape(tiles, threads), args.in, args.n, sums);
    scan_reduce_then_scan(stream, {.in = sums, .out = sums, .n = tiles, .inclusive = false},
                          workspace);
  }
  if (!workspace.measuring())
    launch(stream, KERNEL(scan_from_kernel), Shape(tiles, threads), args.in, args.out, args.n,
           args.inclusive, sums);
}

}  // namespace warpview::WARPVIEW_BACKEND
