// Reduce then scan: first the tile sums, then a scan of every tile from its exclusive prefix.
//
// Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan Algorithms on Graphics
// Processors", ICS 2008.
//
//   1. every block reduces its tile;
//   2. the sums are scanned, by the same function;
//   3. every block scans its tile, starting from its exclusive prefix.
//
// Items are read twice but written once: three times their bytes, where scan then propagate
// (hierarchical.cu) moves four.

#include "gpu/primitives/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    sum_tiles_kernel(scan::Arrays<T> arrays, T* tile_sums) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  const T sum = scan::Tile<Operator>(arrays, blockIdx.x).sum(storage);
  if (threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}
// sums_before is null where there is only one tile.
// If sums_before is null, there is one tile.
template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    scan_from_kernel(scan::Arrays<T> arrays, const T* sums_before) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  scan::Tile<Operator> tile(arrays, blockIdx.x);
  tile.scan(storage);
  tile.store(sums_before ? sums_before[blockIdx.x] : Operator::identity());
}

template <class Operator>
void sum_and_scan(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  using T = typename Operator::Type;
  const scan::Arrays<T> arrays(args);
  const std::uint32_t tiles = scan::Tile<Operator>::count(args.n);
  T* sums = tiles > 1 ? scratch.take<T>(tiles, "sums") : nullptr;
  if (tiles > 1) {
    if (!scratch.measuring())
      launch(stream, KERNEL(sum_tiles_kernel<Operator>), Shape(tiles, scan::threads), arrays, sums);
    sum_and_scan<Operator>(stream, {.in = sums, .out = sums, .n = tiles}, scratch);
  }
  if (!scratch.measuring())
    launch(stream, KERNEL(scan_from_kernel<Operator>), Shape(tiles, scan::threads), arrays, sums);
}

}  // namespace

void scan_reduce_then_scan(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) { sum_and_scan<decltype(op)>(stream, args, scratch); });
}

}  // namespace warpview::WARPVIEW_BACKEND
