// Reduce then scan in three launches for any size.
//
//   Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan Algorithms on
//   Graphics Processors", ICS 2008.
//   The talk "Scan with decoupled look-back and Onesweep radix sort".
//
// reduce_then_scan.cu makes as many sums as there are tiles, scans these recursively, and takes two
// more launches for every level. Here the input is cut into at most as many partitions as one block
// can scan the sums of, and a block goes through its partition tile by tile:
//
//   1. every block reduces its partition;
//   2. one block scans the sums;
//   3. every block scans its partition, starting from its exclusive prefix.
//
// Items are read twice and written once, as there. The partitions are just enough to keep all SMs
// busy: a larger input makes larger partitions.

#include "gpu/primitives/scan/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The most sums that the second launch, one block with one tile, can scan.
constexpr std::uint32_t most_partitions = tile_extent(1024, 4);

// The consecutive tiles of a block.
struct Partition {
  std::uint32_t begin;
  std::uint32_t end;

  __device__ Partition(std::uint32_t tiles, std::uint32_t tiles_each)
      : begin(blockIdx.x * tiles_each),
        end(tiles - begin < tiles_each ? tiles : begin + tiles_each) {}
};

template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    sum_partitions_kernel(scan::Arrays<T> arrays, std::uint32_t tiles, std::uint32_t tiles_each,
                          T* sums) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  const Partition partition(tiles, tiles_each);
  T sum = Operator::identity();
  for (std::uint32_t t = partition.begin; t < partition.end; ++t) {
    sum = Operator::combine(sum, scan::Tile<Operator>(arrays, t).sum(storage));
    __syncthreads();  // the storage is reused
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads) scan_sums_kernel(scan::Arrays<T> sums) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  scan::Tile<Operator> tile(sums, 0);
  tile.scan(storage);
  tile.store(Operator::identity());
}

template <class Operator, class T = typename Operator::Type>
__global__ void __launch_bounds__(scan::threads)
    scan_partitions_kernel(scan::Arrays<T> arrays, std::uint32_t tiles, std::uint32_t tiles_each,
                           const T* sums_before) {
  __shared__ typename scan::Tile<Operator>::Storage storage;
  const Partition partition(tiles, tiles_each);
  T before = sums_before[blockIdx.x];
  for (std::uint32_t t = partition.begin; t < partition.end; ++t) {
    scan::Tile<Operator> tile(arrays, t);
    const T of_tile = tile.scan(storage);
    tile.store(before);
    before = Operator::combine(before, of_tile);
    __syncthreads();  // the storage is reused
  }
}

template <class Operator>
void scan_in_three_launches(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  using T = typename Operator::Type;
  static_assert(most_partitions <= scan::Tile<Operator>::size);
  const std::uint32_t tiles = scan::Tile<Operator>::count(args.n);
  const std::uint32_t tiles_each = ceil_div(tiles, most_partitions);
  const std::uint32_t partitions = tiles > 0 ? ceil_div(tiles, tiles_each) : 0;
  auto* sums = scratch.take<T>(partitions, "sums");
  if (scratch.measuring() || partitions == 0) return;
  const scan::Arrays<T> arrays(args);
  const Shape shape(partitions, scan::threads);
  launch(stream, KERNEL(sum_partitions_kernel<Operator>), shape, arrays, tiles, tiles_each, sums);
  launch(stream, KERNEL(scan_sums_kernel<Operator>), Shape(1, scan::threads),
         scan::Arrays<T>({.in = sums, .out = sums, .n = partitions}));
  launch(stream, KERNEL(scan_partitions_kernel<Operator>), shape, arrays, tiles, tiles_each, sums);
}

}  // namespace

void scan_reduce_scan_fixed(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine,
                [&](auto op) { scan_in_three_launches<decltype(op)>(stream, args, scratch); });
}

}  // namespace warpview::WARPVIEW_BACKEND
