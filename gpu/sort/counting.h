// One pass of a radix sort by counting, scanning and reordering: see count_scan_reorder.cu.
#pragma once

#include "gpu/runtime/scratch.h"
#include "gpu/scan/scan.h"
#include "gpu/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND {

ScanFunction scan_hierarchical;

namespace sort::counting {

template <class Key>
inline constexpr unsigned items_each = sizeof(Key) == 4 ? 16 : 8;

template <class Key>
__global__ void __launch_bounds__(threads)
    count_kernel(const Key* keys, Order<Key> order, std::uint32_t n, Digit digit,
                 std::uint32_t* counts) {
  using Tile = Tile<Key, NoValue, items_each<Key>>;
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
__global__ void __launch_bounds__(threads)
    reorder_kernel(PassBuffers<Key, Value> buffers, std::uint32_t n, Digit digit,
                   const std::uint32_t* begins) {
  using Tile = Tile<Key, Value, items_each<Key>>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  Tile tile;
  tile.load_keys(buffers.keys_in, blockIdx.x, n, buffers.order_in);
  const std::uint32_t digit_begin = tile.rank_keys(digit, tile.count(digit, storage), storage);
  to[threadIdx.x] = begins[threadIdx.x * gridDim.x + blockIdx.x] - digit_begin;
  tile.reorder_keys(storage);
  tile.write(blockIdx.x, n, digit, to, buffers, storage);
}

// Sorts n keys by one digit, as often as asked, with the scratch memory of one pass.
template <class Key, class Value>
class Pass {
 public:
  Pass(Stream& stream, std::uint32_t n, Workspace& workspace)
      : n_(n), tiles_(ceil_div(n, Tile<Key, Value, items_each<Key>>::size)) {
    const std::uint32_t count_of_counts = tiles_ * digit_values;
    counts_ = workspace.take<std::uint32_t>(count_of_counts);
    scan_ = {.in = counts_, .out = counts_, .n = count_of_counts, .inclusive = false};
    scan_bytes_ = workspace_bytes(&scan_hierarchical, stream, scan_);
    scan_memory_ = workspace.take<std::byte>(scan_bytes_);
  }

  void run(Stream& stream, const PassBuffers<Key, Value>& buffers, Digit digit) const {
    launch(stream, KERNEL(count_kernel<Key>), Shape(tiles_, threads), buffers.keys_in,
           buffers.order_in, n_, digit, counts_);
    Workspace scan_workspace(scan_memory_, scan_bytes_);
    scan_hierarchical(stream, scan_, scan_workspace);
    launch(stream, KERNEL(reorder_kernel<Key, Value>), Shape(tiles_, threads), buffers, n_, digit,
           counts_);
  }

  std::uint32_t tiles() const { return tiles_; }
  // After a run: begins()[digit * tiles()] is where the keys with that digit begin.
  const std::uint32_t* begins() const { return counts_; }

 private:
  std::uint32_t n_;
  std::uint32_t tiles_;
  std::uint32_t* counts_;
  ScanArgs scan_;
  std::size_t scan_bytes_;
  std::byte* scan_memory_;
};

}  // namespace sort::counting

}  // namespace warpview::WARPVIEW_BACKEND
