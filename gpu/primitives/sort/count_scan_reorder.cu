// Radix sort, least significant digit first, by counting, scanning and reordering.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009.
//
// A pass sorts by one digit:
//   1. count    each block counts the digits of its tile: counts[digit][tile];
//   2. scan     the exclusive sum over all counts, digit by digit and tile by tile within a digit,
//               is where each tile's keys of each digit begin in the output (in three kernels, as
//               in the paper: scan=hierarchical);
//   3. reorder  each block ranks its tile again and writes it there.
//
// A pass reads the keys twice and writes them once; Onesweep saves the second read.
//
// How wide should a digit be? Each bit less makes more passes. Each bit more doubles the counters
// of a tile and the counts to scan, and halves the runs of one digit in which keys are written. The
// rows for digits of 4 and of 2 bits are the same code, for values of 4 bytes only.

#include "gpu/primitives/sort/counting.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;

template <class Key, class Value, int width>
using CountedTile = sort::Tile<Key, Value, sort::counted_each<Key>, sort::threads, width>;

// counts[digit * tiles + tile] becomes the number of the tile's keys with the digit.
template <class Key, int width>
__global__ void __launch_bounds__(sort::threads)
    count_kernel(const Key* keys, sort::Order<Key> order, std::uint32_t n, Digit digit,
                 std::uint32_t* counts) {
  using Tile = CountedTile<Key, sort::NoValue, width>;
  __shared__ typename Tile::Storage storage;
  Tile tile;
  tile.load_keys(keys, blockIdx.x, n, order);
  std::uint32_t count = tile.count(digit, storage);
  // The padding of the last tile was counted as its largest digit.
  const std::uint32_t end = (blockIdx.x + 1) * Tile::size;
  if (end > n && threadIdx.x == (1U << digit.bits) - 1) count -= end - n;
  if (Tile::has_digit()) counts[threadIdx.x * gridDim.x + blockIdx.x] = count;
}

template <class Key, class Value, int width>
__global__ void __launch_bounds__(sort::threads)
    reorder_kernel(sort::PassBuffers<Key, Value> buffers, std::uint32_t n, Digit digit,
                   const std::uint32_t* begins) {
  using Tile = CountedTile<Key, Value, width>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[Tile::digit_values];
  Tile tile;
  tile.load_keys(buffers.keys_in, blockIdx.x, n, buffers.order_in);
  const std::uint32_t digit_begin = tile.rank_keys(digit, tile.count(digit, storage), storage);
  if (Tile::has_digit())
    to[threadIdx.x] = begins[threadIdx.x * gridDim.x + blockIdx.x] - digit_begin;
  tile.reorder_keys(storage);
  __syncthreads();
  tile.write(blockIdx.x, n, digit, to, buffers, storage);
}

}  // namespace

namespace sort {

template <class Key, class Value, int width>
CountingPass<Key, Value, width>::CountingPass(Stream& stream, std::uint32_t n, Scratch& scratch)
    : n_(n), tiles_(ceil_div(n, CountedTile<Key, Value, width>::size)) {
  const std::uint32_t count_of_counts = tiles_ << width;
  counts_ = scratch.take<std::uint32_t>(count_of_counts, "counts");
  scan_ = {.in = counts_, .out = counts_, .n = count_of_counts, .inclusive = false};
  scan_bytes_ = scratch_bytes(&scan_hierarchical, stream, scan_);
  scan_memory_ = scratch.take<std::byte>(scan_bytes_, "scan_memory");
}

template <class Key, class Value, int width>
void CountingPass<Key, Value, width>::run(Stream& stream, const PassBuffers<Key, Value>& buffers,
                                          Digit digit) const {
  launch(stream, KERNEL(count_kernel<Key, width>), Shape(tiles_, sort::threads), buffers.keys_in,
         buffers.order_in, n_, digit, counts_);
  Scratch scan_scratch(scan_memory_, scan_bytes_);
  scan_hierarchical(stream, scan_, scan_scratch);
  launch(stream, KERNEL(reorder_kernel<Key, Value, width>), Shape(tiles_, sort::threads), buffers,
         n_, digit, counts_);
}

template class CountingPass<std::uint32_t, NoValue>;
template class CountingPass<std::uint32_t, std::uint32_t>;
template class CountingPass<std::uint32_t, std::uint64_t>;
template class CountingPass<std::uint64_t, NoValue>;
template class CountingPass<std::uint64_t, std::uint32_t>;
template class CountingPass<std::uint64_t, std::uint64_t>;

}  // namespace sort

namespace {

template <int width, class Key, class Value>
void sort_by_counting(Stream& stream, const SortArgs& args, Scratch& scratch, Key, Value) {
  const sort::DigitsOf<width> digits{args.begin_bit, args.end_bit};
  const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
  const sort::CountingPass<Key, Value, width> by_digit(stream, args.n, scratch);
  if (scratch.measuring()) return;
  const auto passes = sort::all_passes<Key, Value>(args, other);
  for (int pass = 0; pass < digits.count(); ++pass)
    by_digit.run(stream, passes.of(pass == 0, static_cast<unsigned>(digits.count() - pass)),
                 digits[pass]);
}

}  // namespace

void sort_count_scan_reorder(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    sort_by_counting<sort::digit_bits>(stream, args, scratch, key, value);
  });
}

void sort_count_scan_4_bits(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_with_words(stream, args, scratch, [&](auto key, auto value) {
    sort_by_counting<4>(stream, args, scratch, key, value);
  });
}

void sort_count_scan_2_bits(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_with_words(stream, args, scratch, [&](auto key, auto value) {
    sort_by_counting<2>(stream, args, scratch, key, value);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
