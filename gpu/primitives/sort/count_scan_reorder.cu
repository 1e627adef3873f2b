// Radix sort, least significant digit first, by counting, scanning and reordering.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009.
//
// A pass sorts by one digit:
//   1. count    each block counts the digits of its tile: counts[digit][tile];
//   2. scan     the exclusive sum over all counts, digit by digit and tile by tile within, is where
//               each tile's keys of each digit begin in the output (in three kernels, as in the
//               paper: scan=hierarchical);
//   3. reorder  each block ranks its tile again and writes it there.
//
// A pass reads the keys twice and writes them once; Onesweep saves the second read.

#include "gpu/primitives/sort/counting.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;

// counts[digit * tiles + tile] becomes how many keys of the tile have the digit.
template <class Key>
__global__ void __launch_bounds__(sort::threads)
    count_kernel(const Key* keys, sort::Order<Key> order, std::uint32_t n, Digit digit,
                 std::uint32_t* counts) {
  using Tile = sort::Tile<Key, sort::NoValue, sort::counted_each<Key>>;
  __shared__ typename Tile::Storage storage;
  Tile tile;
  tile.load_keys(keys, blockIdx.x, n, order);
  std::uint32_t count = tile.count(digit, storage);
  // The padding of the last tile was counted as its largest digit.
  const std::uint32_t end = (blockIdx.x + 1) * Tile::size;
  if (end > n && threadIdx.x == (1U << digit.bits) - 1) count -= end - n;
  counts[threadIdx.x * gridDim.x + blockIdx.x] = count;
}

template <class Key, class Value>
__global__ void __launch_bounds__(sort::threads)
    reorder_kernel(sort::PassBuffers<Key, Value> buffers, std::uint32_t n, Digit digit,
                   const std::uint32_t* begins) {
  using Tile = sort::Tile<Key, Value, sort::counted_each<Key>>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  Tile tile;
  tile.load_keys(buffers.keys_in, blockIdx.x, n, buffers.order_in);
  const std::uint32_t digit_begin = tile.rank_keys(digit, tile.count(digit, storage), storage);
  to[threadIdx.x] = begins[threadIdx.x * gridDim.x + blockIdx.x] - digit_begin;
  tile.reorder_keys(storage);
  __syncthreads();
  tile.write(blockIdx.x, n, digit, to, buffers, storage);
}

}  // namespace

namespace sort {

template <class Key, class Value>
CountingPass<Key, Value>::CountingPass(Stream& stream, std::uint32_t n, Scratch& scratch)
    : n_(n), tiles_(ceil_div(n, Tile<Key, Value, counted_each<Key>>::size)) {
  const std::uint32_t count_of_counts = tiles_ * digit_values;
  counts_ = scratch.take<std::uint32_t>(count_of_counts);
  scan_ = {.in = counts_, .out = counts_, .n = count_of_counts, .inclusive = false};
  scan_bytes_ = scratch_bytes(&scan_hierarchical, stream, scan_);
  scan_memory_ = scratch.take<std::byte>(scan_bytes_);
}

template <class Key, class Value>
void CountingPass<Key, Value>::run(Stream& stream, const PassBuffers<Key, Value>& buffers,
                                   Digit digit) const {
  launch(stream, KERNEL(count_kernel<Key>), Shape(tiles_, sort::threads), buffers.keys_in,
         buffers.order_in, n_, digit, counts_);
  Scratch scan_scratch(scan_memory_, scan_bytes_);
  scan_hierarchical(stream, scan_, scan_scratch);
  launch(stream, KERNEL(reorder_kernel<Key, Value>), Shape(tiles_, sort::threads), buffers, n_,
         digit, counts_);
}

template class CountingPass<std::uint32_t, NoValue>;
template class CountingPass<std::uint32_t, std::uint32_t>;
template class CountingPass<std::uint32_t, std::uint64_t>;
template class CountingPass<std::uint64_t, NoValue>;
template class CountingPass<std::uint64_t, std::uint32_t>;
template class CountingPass<std::uint64_t, std::uint64_t>;

}  // namespace sort

void sort_count_scan_reorder(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    using Key = decltype(key);
    using Value = decltype(value);
    const sort::Digits digits{args.begin_bit, args.end_bit};
    const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
    const sort::CountingPass<Key, Value> by_digit(stream, args.n, scratch);
    if (scratch.measuring()) return;
    for (int pass = 0; pass < digits.count(); ++pass)
      by_digit.run(stream, sort::buffers_of_pass(args, pass, digits.count(), other), digits[pass]);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
