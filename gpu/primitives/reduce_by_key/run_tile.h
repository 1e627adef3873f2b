// What reduce by key and run-length encoding in one pass share: a tile in registers, the runs that
// begin in it and the sum of each. See one_pass.cu.
#pragma once

#include "gpu/block/lookback.h"
#include "gpu/block/rows.h"
#include "gpu/block/ticket.h"
#include "gpu/operators/numbers.h"
#include "gpu/operators/segmented.h"

namespace warpview::WARPVIEW_BACKEND::runs {

inline constexpr unsigned threads = tile_extent(256, 64);
inline constexpr unsigned blocks_each = 4;  // blocks that an SM should hold: bounds the registers

// Where the runs are written.
template <class Value>
struct Output {
  std::uint32_t* keys;
  Value* sums;
  std::uint32_t* count;
};

// `Operator` adds values. `Values` returns those of a tile by load<Rows>(rows, tile, n); values
// from n on are 0.
template <class Operator, class Values>
class RunTile {
  using Value = typename Operator::Type;
  static constexpr unsigned vector = block::Vector<std::uint32_t>::size;
  static constexpr unsigned rows = tile_extent(5, 2);
  static_assert(rows * vector <= 32);

 public:
  using Op = Segmented<Operator>;
  using Item = Stretch<Value>;
  using Rows = block::Rows<std::uint32_t, threads, rows>;

  struct Storage {
    block::ScanStorage<Item, threads> scan;
    std::uint32_t keys[Rows::tile_size];  // of the runs that begin in the tile
    Value sums_before[Rows::tile_size];   // of the run that ends where each begins
  };

  // `aligned`: keys are aligned to whole vectors.
  __device__ RunTile(const std::uint32_t* keys, bool aligned, const Values& values, std::uint32_t n,
                     std::uint32_t tile) {
    block::load_rows<Rows>(keys_, keys, tile, n, aligned, 0U);
    values.template load<Rows>(values_, tile, n);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t first = Rows::first(tile, r);
      std::uint32_t previous = warp::shuffle_up(warp::all_lanes(), keys_[r].item[vector - 1], 1);
      if (warp::lane() == 0) previous = first > 0 && first < n ? keys[first - 1] : 0;
      row_[r] = Op::identity();
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        const std::uint32_t i = first + k;
        if (i < n && (i == 0 || keys_[r].item[k] != previous)) heads_ |= 1U << (r * vector + k);
        previous = keys_[r].item[k];
        row_[r] = Op::combine(row_[r], item(r, k));
      }
    }
  }

  // The tile's aggregate; prepares `stage`. One barrier.
  __device__ Item scan(Storage& storage) {
    const block::Prefix<Item> prefix = block::scan_rows<Op>(row_, storage.scan);
    before_warp_ = prefix.before;
    return prefix.all;
  }

  // Stores the runs that begin in the tile in shared memory, by number. The head of a run has its
  // own key and the sum of the run before it, or the part of it that lies in this tile.
  __device__ void stage(Storage& storage) const {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      Item prefix = Op::combine(before_warp_, row_[r]);
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        if (is_head(r, k)) {
          storage.keys[prefix.heads] = keys_[r].item[k];
          storage.sums_before[prefix.heads] = prefix.sum;
        }
        prefix = Op::combine(prefix, item(r, k));
      }
    }
  }

  // Writes them, after `stage` and a barrier, given the tile's exclusive prefix.
  __device__ static void write(const Item& before, const Item& tile, const Output<Value>& out,
                               const Storage& storage) {
    for (std::uint32_t j = threadIdx.x; j < tile.heads; j += threads) {
      const std::uint32_t run = before.heads + j;
      out.keys[run] = storage.keys[j];
      const Value sum = storage.sums_before[j];
      if (run > 0) out.sums[run - 1] = j == 0 ? Operator::combine(before.sum, sum) : sum;
    }
  }

 private:
  __device__ bool is_head(unsigned r, unsigned k) const {
    return (heads_ >> (r * vector + k) & 1U) != 0;
  }
  __device__ Item item(unsigned r, unsigned k) const {
    return {is_head(r, k) ? 1U : 0U, values_[r].item[k]};
  }

  block::Vector<std::uint32_t> keys_[rows];
  block::Vector<Value> values_[rows];
  std::uint32_t heads_ = 0;  // one bit for each item
  Item row_[rows];  // this lane's items of a row combined; after `scan` their exclusive prefix
  Item before_warp_;
};

// No head follows the last run: one thread writes it, with the number of runs, once the aggregate
// of all items is known.
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
                        block::PackedStretches<Value>>
                     kernel) {
  const std::uint32_t tiles = Tile::Rows::tiles(n);
  const auto states = block::PackedStretches<Value>::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile to write the count.
  if (n == 0) return stream.fill(out.count, 0, sizeof(*out.count));
  states.clear(stream, tiles);
  launch(stream, kernel, Shape(tiles, threads), keys, block::is_aligned(keys), values, n, out,
         states);
}

}  // namespace warpview::WARPVIEW_BACKEND::runs
