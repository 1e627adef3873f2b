// What reduce by key and run-length encoding in one pass share: a tile in registers, the runs that
// begin in it and what each comes to. See one_pass.cu.
#pragma once

#include "gpu/block/lookback.h"
#include "gpu/block/rows.h"
#include "gpu/block/ticket.h"
#include "gpu/operators/numbers.h"
#include "gpu/operators/segmented.h"

namespace warpview::WARPVIEW_BACKEND::runs {

inline constexpr unsigned threads = tile_extent(256, 64);

// Where the runs are written.
template <class Value>
struct Output {
  std::uint32_t* keys;
  Value* sums;
  std::uint32_t* count;
};

// `Operator` adds up values. `Values` gives those of a row by load(i, n), those from n on being 0.
template <class Operator, class Values>
class RunTile {
  using Value = typename Operator::Type;
  using Vector = block::Vector<std::uint32_t>;
  static constexpr unsigned vector = Vector::size;
  static constexpr unsigned rows = 2;

 public:
  using Op = Segmented<Operator>;
  using Item = Stretch<Value>;
  using Rows = block::Rows<std::uint32_t, threads, rows>;

  // Shared memory of `scan` and `write`.
  struct Storage {
    block::ScanStorage<Item, threads> scan;
    std::uint32_t keys[Rows::tile_size];  // of the runs that begin in the tile
    Value sums_before[Rows::tile_size];   // of the run that ends where each begins
  };

  // `aligned`: keys are, by whole vectors.
  __device__ RunTile(const std::uint32_t* keys, bool aligned, const Values& values, std::uint32_t n,
                     std::uint32_t tile) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t first = Rows::first(tile, r);
      keys_[r] = block::load_vector(keys, first, n, aligned, 0U);
      const block::Vector<Value> value = values.load(first, n);
      std::uint32_t previous = first > 0 && first < n ? keys[first - 1] : 0;
      row_[r] = Op::identity();
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        const std::uint32_t i = first + k;
        const bool is_head = i < n && (i == 0 || keys_[r].item[k] != previous);
        previous = keys_[r].item[k];
        items_[r][k] = {is_head ? 1U : 0U, value.item[k]};
        row_[r] = Op::combine(row_[r], items_[r][k]);
      }
    }
  }

  // What the tile combines to; prepares `write`. One barrier.
  __device__ Item scan(Storage& storage) {
    const block::Prefix<Item> prefix = block::scan_rows<Op>(row_, storage.scan);
    before_warp_ = prefix.before;
    return prefix.all;
  }

  // Writes the runs that begin in the tile, given what all tiles before combine to. The head of a
  // run knows its own number and key, and what the run before it comes to. It leaves them in shared
  // memory, so that neighbouring threads can write neighbouring words. One barrier.
  __device__ void write(const Item& before, const Item& tile, const Output<Value>& out,
                        Storage& storage) const {
    const Item before_warp = Op::combine(before, before_warp_);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      Item prefix = Op::combine(before_warp, row_[r]);
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        if (items_[r][k].heads > 0) {
          const std::uint32_t place = prefix.heads - before.heads;
          storage.keys[place] = keys_[r].item[k];
          storage.sums_before[place] = prefix.sum;
        }
        prefix = Op::combine(prefix, items_[r][k]);
      }
    }
    __syncthreads();
    for (std::uint32_t j = threadIdx.x; j < tile.heads; j += threads) {
      const std::uint32_t run = before.heads + j;
      out.keys[run] = storage.keys[j];
      if (run > 0) out.sums[run - 1] = storage.sums_before[j];
    }
  }

 private:
  Vector keys_[rows];
  Item items_[rows][vector];
  Item row_[rows];  // this lane's items of a row combined; after `scan` what comes before them
  Item before_warp_;
};

// No head follows the last run: it is written by one thread, with the number of runs, once it is
// known what all items combine to.
template <class Value>
__device__ inline void write_last_run(const Stretch<Value>& all, const Output<Value>& out) {
  *out.count = all.heads;
  out.sums[all.heads - 1] = all.sum;
}

// The host function: launches the kernel with one block per tile.
template <class Tile, class Values, class Value>
void in_one_pass(Stream& stream, const std::uint32_t* keys, const Values& values, std::uint32_t n,
                 const Output<Value>& out, Scratch& scratch,
                 Kernel<const std::uint32_t*, bool, Values, std::uint32_t, Output<Value>,
                        block::SplitStates<Stretch<Value>>>
                     kernel) {
  const std::uint32_t tiles = Tile::Rows::tiles(n);
  const auto states = block::SplitStates<Stretch<Value>>::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile to write the count.
  if (n == 0) return stream.fill(out.count, 0, sizeof(*out.count));
  states.clear(stream, tiles);
  launch(stream, kernel, Shape(tiles, threads), keys, block::is_aligned(keys), values, n, out,
         states);
}

}  // namespace warpview::WARPVIEW_BACKEND::runs
