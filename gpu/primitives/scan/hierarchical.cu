// Scan then propagate: the prefix sum in three kernels per level.
//
// M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
//
//   1. every block scans its tile and stores the tile's aggregate;
//   2. the aggregates are scanned, by the same function;
//   3. every block adds its tile's exclusive prefix.
//
// Each item is read and written twice: four times its bytes where one pass needs two.

#include "gpu/primitives/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Scans each tile separately. tile_sums[tile] becomes the tile's aggregate, unless it is null.
template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    scan_tiles_kernel(scan::Arrays<T> arrays, T* tile_sums) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  scan::Tile<Operator> tile(arrays, blockIdx.x);
  const T sum = tile.scan(storage);
  tile.store(Operator::identity());
  if (tile_sums && threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}

// Combines each item of a tile with the tile's exclusive prefix.
template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    propagate_kernel(T* out, std::uint32_t n, const T* sums_before) {
  const std::uint32_t begin = blockIdx.x * scan::Tile<Operator>::size;
  const T before = sums_before[blockIdx.x];
  UNROLL
  for (std::uint32_t k = 0; k < scan::Tile<Operator>::size; k += scan::threads) {
    const std::uint32_t i = begin + k + threadIdx.x;
    if (i < n) out[i] = Operator::combine(before, out[i]);
  }
}

template <class Operator>
void scan_and_add(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  using T = typename Operator::Type;
  const std::uint32_t tiles = scan::Tile<Operator>::count(args.n);
  T* sums = tiles > 1 ? scratch.take<T>(tiles, "sums") : nullptr;

  if (!scratch.measuring())
    launch(stream, KERNEL(scan_tiles_kernel<Operator>), Shape(tiles, scan::threads),
           scan::Arrays<T>(args), sums);
  if (tiles <= 1) return;
  scan_and_add<Operator>(stream, {.in = sums, .out = sums, .n = tiles}, scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(propagate_kernel<Operator>), Shape(tiles, scan::threads),
           static_cast<T*>(args.out), args.n, sums);
}

}  // namespace

void scan_hierarchical(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine, [&](auto op) { scan_and_add<decltype(op)>(stream, args, scratch); });
}

}  // namespace warpview::WARPVIEW_BACKEND
