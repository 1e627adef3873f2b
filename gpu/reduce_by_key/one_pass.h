// Runs reduced in one pass: what reduce by key and run-length encoding share. See
// gpu/reduce_by_key/one_pass.cu.
#pragma once

#include "gpu/reduce_by_key/runs.h"
#include "gpu/scan/lookback.h"
#include "gpu/scan/rows.h"

namespace warpview::WARPVIEW_BACKEND::runs {

// Values that lie in memory.
template <class T>
struct Loaded {
  const T* values;
  bool aligned;

  __device__ scan::Vector<T> load(std::uint32_t i, std::uint32_t n) const {
    return scan::load_vector(values, i, n, aligned, T{});
  }
};

// Every value is 1: sums are lengths.
struct Ones {
  __device__ static scan::Vector<std::uint32_t> load(std::uint32_t i, std::uint32_t n) {
    scan::Vector<std::uint32_t> ones;
    UNROLL
    for (unsigned k = 0; k < ones.size; ++k) ones.item[k] = i + k < n ? 1 : 0;
    return ones;
  }
};

inline constexpr unsigned rows = 2;
using Rows = scan::Layout<std::uint32_t, rows>;

template <class Sum, class Values>
__global__ void __launch_bounds__(scan::threads)
    reduce_runs_kernel(const std::uint32_t* keys, bool aligned, Values values, std::uint32_t n,
                       std::uint32_t* keys_out, typename Sum::Type* sums_out, std::uint32_t* count,
                       scan::SplitStates<Stretch<typename Sum::Type>> states) {
  using Value = typename Sum::Type;
  using Op = Combine<Sum>;
  using Item = Stretch<Value>;
  constexpr unsigned vector = scan::Vector<std::uint32_t>::size;
  __shared__ std::uint32_t run_keys[Rows::tile_size];  // of the runs that begin in the tile
  __shared__ Value sums_before[Rows::tile_size];       // of the run that ends where each begins
  __shared__ Item shared_before;
  const std::uint32_t tile = scan::take_tile(states);

  scan::Vector<std::uint32_t> key[rows];
  Item item[rows][vector];
  Item row[rows];
  UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const std::uint32_t first = Rows::first(tile, r);
    key[r] = scan::load_vector(keys, first, n, aligned, 0U);
    const scan::Vector<Value> value = values.load(first, n);
    std::uint32_t previous = first > 0 && first < n ? keys[first - 1] : 0;
    row[r] = Op::identity();
    UNROLL
    for (unsigned k = 0; k < vector; ++k) {
      const std::uint32_t i = first + k;
      const bool is_head = i < n && (i == 0 || key[r].item[k] != previous);
      previous = key[r].item[k];
      item[r][k] = {is_head ? 1U : 0U, value.item[k]};
      row[r] = Op::combine(row[r], item[r][k]);
    }
  }
  const scan::TileSums<Item> sums = scan::scan_rows<Op>(row);
  if (warp::index() == 0) {
    const Item before = scan::WarpLooksBack::before<Op>(states, tile, sums.tile);
    if (warp::lane() == 0) shared_before = before;
  }
  __syncthreads();

  // The head of a run knows its own number and key, and what the run before it comes to. It leaves
  // them in shared memory, so that neighbouring threads can write neighbouring words.
  const Item before = shared_before;
  const Item before_warp = Op::combine(before, sums.before_warp);
  UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    Item prefix = Op::combine(before_warp, row[r]);
    UNROLL
    for (unsigned k = 0; k < vector; ++k) {
      if (item[r][k].heads > 0) {
        const std::uint32_t place = prefix.heads - before.heads;
        run_keys[place] = key[r].item[k];
        sums_before[place] = prefix.sum;
      }
      prefix = Op::combine(prefix, item[r][k]);
    }
  }
  __syncthreads();
  for (std::uint32_t j = threadIdx.x; j < sums.tile.heads; j += scan::threads) {
    const std::uint32_t run = before.heads + j;
    keys_out[run] = run_keys[j];
    if (run > 0) sums_out[run - 1] = sums_before[j];
  }
  // No head follows the last run.
  if (tile == gridDim.x - 1 && threadIdx.x == 0) {
    const Item all = Op::combine(before, sums.tile);
    *count = all.heads;
    sums_out[all.heads - 1] = all.sum;
  }
}

template <class Sum, class Values>
void reduce(Stream& stream, const std::uint32_t* keys, const Values& values, std::uint32_t n,
            std::uint32_t* keys_out, typename Sum::Type* sums, std::uint32_t* count,
            Workspace& workspace) {
  using States = scan::SplitStates<Stretch<typename Sum::Type>>;
  const std::uint32_t tiles = Rows::tiles(n);
  const auto states = States::take(workspace, tiles);
  if (workspace.measuring()) return;
  // Without items there is no last tile to write the count.
  if (n == 0) return stream.fill(count, 0, sizeof(*count));
  states.clear(stream, tiles);
  launch(stream, KERNEL(reduce_runs_kernel<Sum, Values>), Shape(tiles, scan::threads), keys,
         scan::is_aligned(keys), values, n, keys_out, sums, count, states);
}

}  // namespace warpview::WARPVIEW_BACKEND::runs
