// Reduce by key in one pass: workers sum tiles ahead of writing them, and one scanner block scans
// the sums.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016, for the one pass; the scanner is our own
// (gpu/block/ahead.h). The operator: J. Schwartz, "Ultracomputers", 1980.
//
// A tile's aggregate is that of one_pass.cu: the number of runs that begin, and the sum since the
// last one began. It needs no scan of the tile: the worker finds the last head and sums the values
// from there on.

#include "gpu/block/arrivals.h"
#include "gpu/block/lines.h"
#include "gpu/block/tuning.h"
#include "gpu/operators/segmented.h"
#include "gpu/primitives/reduce_by_key/heads.h"
#include "gpu/primitives/reduce_by_key/sums.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using KeyTuning = block::Tuning::ReduceByKey;
using KeyHeads = runs::Heads<KeyTuning::threads, KeyTuning::rows>;

template <class Operator>
struct KeyTile {
  using Value = typename Operator::Type;
  using Op = Segmented<Operator>;
  using Item = Stretch<Value>;
  using Vector = block::Vector<Value>;
  static constexpr unsigned rows = KeyTuning::rows;
  static constexpr std::uint32_t size = KeyHeads::Rows::tile_size;
  using Keys = block::Arrivals<std::uint32_t, KeyTuning::threads, size, KeyTuning::stages, true>;
  using Values = block::Arrivals<Value, KeyTuning::threads, size, KeyTuning::stages>;
  struct Storage {
    typename Keys::Storage keys;
    typename Values::Storage values;
    block::AheadStorage<Item, KeyTuning::threads> ahead;
  };

  // This lane's values of a row of the warp's stretch.
  __device__ static Vector row(const Value* stretch, unsigned r) {
    return *reinterpret_cast<const Vector*>(stretch + KeyHeads::place(r));
  }

  // The tile's aggregate: before this warp's stretch, and in all. One barrier.
  __device__ static block::Prefix<Item> sum(const KeyHeads& heads, const Value* values,
                                            Storage& storage) {
    const Value* const stretch = values + KeyHeads::stretch_begin();
    std::uint32_t count = 0;
    std::uint32_t after_last = 0;  // the place after the last head, 0 if there is none
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t bits = heads.row(r).bits;
      count += warp::count(bits);
      if (bits != 0) after_last = KeyHeads::place(r) + (32 - __clz(static_cast<int>(bits)));
    }
    after_last = warp::reduce(after_last, Combine<MaxU32>());
    Value since = Operator::identity();
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const Vector items = row(stretch, r);
      UNROLL
      for (unsigned j = 0; j < Vector::size; ++j)
        if (KeyHeads::place(r) + j + 1 >= after_last)
          since = Operator::combine(since, items.item[j]);
    }
    return block::scan_warps<Op>(
        Item{warp::reduce(count, Combine<SumU32>()), warp::reduce(since, Combine<Operator>())},
        storage.ahead.scan);
  }

  // Moves the heads' keys to the first places of this warp's stretch, and beside each the sum of
  // the run that ends there, or the part of it that lies in the stretch. Returns their number.
  __device__ static std::uint32_t gather(const KeyHeads& heads, Value* values) {
    Value* const stretch = values + KeyHeads::stretch_begin();
    Item before = Op::identity();
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const KeyHeads::Row keys = heads.row(r);
      const Vector items = row(stretch, r);
      const auto item = [&](unsigned j) { return Item{keys.bits >> j & 1U, items.item[j]}; };
      Item own = item(0);
      UNROLL
      for (unsigned j = 1; j < Vector::size; ++j) own = Op::combine(own, item(j));
      const Item upto = warp::inclusive_scan(own, Combine<Op>());
      Item prefix = Op::combine(before, warp::before_lane<Op>(upto, own));
      before = Op::combine(before, warp::shuffle(warp::all_lanes(), upto, warp::size() - 1));
      warp::sync(warp::all_lanes());  // all lanes have read
      UNROLL
      for (unsigned j = 0; j < Vector::size; ++j) {
        if ((keys.bits >> j & 1U) != 0) {
          heads.keep(keys, r, j, prefix.heads);
          stretch[prefix.heads] = prefix.sum;
        }
        prefix = Op::combine(prefix, item(j));
      }
      warp::sync(warp::all_lanes());  // the next row reads the key before it
    }
    return before.heads;
  }
};

// The arrays of a kernel.
template <class Value>
struct KeyArrays {
  const std::uint32_t* keys;
  const Value* values;
  bool keys_aligned, values_aligned;  // to whole vectors
  std::uint32_t* keys_out;
  Value* sums;
  std::uint32_t* count;
  std::uint32_t n;
};

template <class Operator, class Value = typename Operator::Type>
__global__ void RESIDENT_BLOCKS(KeyTuning::threads, KeyTuning::blocks_each)
    ahead_reduce_runs_kernel(KeyArrays<Value> arrays, block::PackedStretches<Value> states,
                             std::uint32_t tiles) {
  using Tile = KeyTile<Operator>;
  using Op = typename Tile::Op;
  using Item = typename Tile::Item;
  LARGE_SHARED(typename Tile::Storage, storage);
  typename Tile::Keys keys(storage.keys, arrays.keys, arrays.n, arrays.keys_aligned, 0U);
  typename Tile::Values values(storage.values, arrays.values, arrays.n, arrays.values_aligned,
                               Operator::identity());
  keys.begin();
  values.begin();
  __syncthreads();
  std::uint32_t found = 0;  // heads in this warp's stretch
  block::work_ahead<Op, KeyTuning>(
      states, tiles, storage.ahead,
      [&](unsigned k, std::uint32_t tile) {
        keys.ask(k, tile);
        values.ask(k, tile);
      },
      [&](unsigned k, std::uint32_t tile) {
        std::uint32_t* const key_items = keys.wait(k, tile);
        return Tile::sum(KeyHeads(key_items, tile, arrays.n), values.wait(k, tile), storage);
      },
      [&](unsigned k, std::uint32_t tile) {
        found = Tile::gather(KeyHeads(keys.stage(k), tile, arrays.n), values.stage(k));
      },
      [&](unsigned k, std::uint32_t tile, const Item& before_tile, const block::Prefix<Item>& sum) {
        const Item before = Op::combine(before_tile, sum.before);
        const std::uint32_t stretch_begin = KeyHeads::stretch_begin();
        const std::uint32_t* const run_keys = keys.stage(k) + stretch_begin;
        const Value* const run_sums = values.stage(k) + stretch_begin;
        block::visit_by_lines(arrays.keys_out + before.heads, found, [&](std::uint32_t i) {
          const std::uint32_t run = before.heads + i;
          arrays.keys_out[run] = run_keys[i];
          // A head ends the run before it.
          if (run > 0)
            arrays.sums[run - 1] =
                i == 0 ? Operator::combine(before.sum, run_sums[i]) : run_sums[i];
        });
        if (tile == tiles - 1 && threadIdx.x == 0) {
          const Item all = Op::combine(before_tile, sum.all);
          *arrays.count = all.heads;
          arrays.sums[all.heads - 1] = all.sum;
        }
      });
}

}  // namespace

void reduce_by_key_ahead(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  const std::uint32_t tiles = KeyHeads::Rows::tiles(args.n);
  runs::with_sum(args.sum, [&](auto op) {
    using Operator = decltype(op);
    using Value = typename Operator::Type;
    constexpr std::size_t storage_bytes = sizeof(typename KeyTile<Operator>::Storage);
    const auto kernel = KERNEL(ahead_reduce_runs_kernel<Operator>);
    const std::uint32_t resident = block::blocks_ahead<KeyTuning>(stream, kernel, storage_bytes);
    if (resident == 0) return reduce_by_key_one_pass(stream, args, scratch);
    const auto states = block::PackedStretches<Value>::take(scratch, tiles);
    if (scratch.measuring()) return;
    // Without items there is no last tile.
    if (args.n == 0) return stream.fill(args.count, 0, sizeof(*args.count));
    const auto* values = static_cast<const Value*>(args.values);
    block::launch_ahead<KeyTuning>(stream, states, tiles, resident, kernel, storage_bytes,
                                   KeyArrays<Value>{.keys = args.keys,
                                                    .values = values,
                                                    .keys_aligned = block::is_aligned(args.keys),
                                                    .values_aligned = block::is_aligned(values),
                                                    .keys_out = args.keys_out,
                                                    .sums = static_cast<Value*>(args.sums),
                                                    .count = args.count,
                                                    .n = args.n},
                                   states, tiles);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
