// Radix sort, least significant digit first, by counting, scanning and reordering.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009.
//
// A pass sorts by one digit:
//   1. count    each block counts the digits of its tile: counts[digit][tile];
//   2. scan     the exclusive sum over all counts, digit by digit and tile by tile within, is where
//               each tile's keys of each digit begin in the output;
//   3. reorder  each block ranks its tile again and writes it there.
//
// A pass reads the keys twice and writes them once; Onesweep saves the second read.

#include "gpu/runtime/scratch.h"
#include "gpu/scan/scan.h"
#include "gpu/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND {

ScanFunction scan_hierarchical;

namespace {

using sort::Digit;
using sort::digit_values;

template <class Key>
constexpr unsigned items_each = sizeof(Key) == 4 ? 16 : 8;

template <class Key>
__global__ void __launch_bounds__(sort::threads)
    count_kernel(const Key* keys, std::uint32_t n, Digit digit, std::uint32_t* counts) {
  using Tile = sort::Tile<Key, items_each<Key>>;
  __shared__ typename Tile::Storage storage;
  Tile tile;
  tile.load_keys(keys, blockIdx.x, n);
  std::uint32_t count = tile.count(digit, storage);
  // The padding of the last tile was counted as its largest digit.
  const std::uint32_t end = (blockIdx.x + 1) * Tile::size;
  if (end > n && threadIdx.x == (1U << digit.bits) - 1) count -= end - n;
  counts[threadIdx.x * gridDim.x + blockIdx.x] = count;
}

template <class Key>
__global__ void __launch_bounds__(sort::threads)
    reorder_kernel(const Key* keys_in, const std::uint32_t* values_in, std::uint32_t n, Digit digit,
                   const std::uint32_t* begins, Key* keys_out, std::uint32_t* values_out) {
  using Tile = sort::Tile<Key, items_each<Key>>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  Tile tile;
  tile.load_keys(keys_in, blockIdx.x, n);
  const std::uint32_t digit_begin = tile.rank_keys(digit, tile.count(digit, storage), storage);
  to[threadIdx.x] = begins[threadIdx.x * gridDim.x + blockIdx.x] - digit_begin;
  tile.reorder_keys(storage);
  tile.write(blockIdx.x, n, digit, to, values_in, keys_out, values_out, storage);
}

template <class Key>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  const std::uint32_t tiles = ceil_div(args.n, sort::Tile<Key, items_each<Key>>::size);
  const int passes = sort::pass_count(args.begin_bit, args.end_bit);
  Key* other_keys = workspace.take<Key>(args.n);
  std::uint32_t* other_values = workspace.take<std::uint32_t>(args.n);
  const std::uint32_t count_of_counts = tiles * digit_values;
  std::uint32_t* counts = workspace.take<std::uint32_t>(count_of_counts);
  const ScanArgs scan{.in = counts, .out = counts, .n = count_of_counts, .inclusive = false};
  const std::size_t scan_bytes = workspace_bytes(&scan_hierarchical, stream, scan);
  std::byte* scan_memory = workspace.take<std::byte>(scan_bytes);
  if (workspace.measuring()) return;

  for (int pass = 0; pass < passes; ++pass) {
    const Digit digit = sort::digit_of_pass(pass, args.begin_bit, args.end_bit);
    const auto buffers = sort::buffers_of_pass<Key>(args, pass, passes, other_keys, other_values);
    launch(stream, KERNEL(count_kernel<Key>), Shape(tiles, sort::threads), buffers.keys_in, args.n,
           digit, counts);
    Workspace scan_workspace(scan_memory, scan_bytes);
    scan_hierarchical(stream, scan, scan_workspace);
    launch(stream, KERNEL(reorder_kernel<Key>), Shape(tiles, sort::threads), buffers.keys_in,
           buffers.values_in, args.n, digit, counts, buffers.keys_out, buffers.values_out);
  }
}

}  // namespace

void sort_count_scan_reorder(Stream& stream, const SortArgs& args, Workspace& workspace) {
  sort::sort_by_key_type(stream, args, workspace,
                         [&](auto key) { sort_pairs<decltype(key)>(stream, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND
