// Radix sort, most significant digit first.
//
// D. Knuth, The Art of Computer Programming 3, section 5.2.5; on GPUs: E. Stehle, H.-A. Jacobsen,
// "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", SIGMOD 2017.
//
// After one pass by the highest digit the pairs lie in 256 buckets that never mix again. One launch
// then finishes them all: one block per bucket, without communication between blocks. It also
// compares less than the least-significant-digit sorts: where all keys of a bucket share a digit,
// its pass is skipped, and a bucket of few pairs is sorted in a single step.
//
// The price is load balance. Random keys fill the buckets evenly; if most keys share the highest
// digit, one block sorts most of them after the others have finished. Stehle and Jacobsen split
// such buckets further. This sort is correct for every input, and fast for evenly distributed ones.

#include "gpu/primitives/sort/counting.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;
using sort::Digits;
using sort::Pairs;
using sort::PassBuffers;

template <class Key, class Value>
using MsdTile = sort::Tile<Key, Value, sort::counted_each<Key>>;

// Sorts at most one pair per thread: a thread counts the pairs that belong before its own. Compares
// the bits of `mask`; pairs with equal bits keep their order. Maps keys back as it writes them.
// Called by all threads of a block.
template <class Key, class Value>
__device__ void sort_few(const Pairs<Key, Value>& in, const Pairs<Key, Value>& out, std::uint32_t n,
                         Key mask, const sort::Order<Key>& order, Key* shared_keys) {
  const std::uint32_t i = threadIdx.x;
  const bool exists = i < n;
  const Key key = exists ? in.keys[i] : Key{0};
  Value value{};
  if constexpr (sort::has_values<Value>)
    if (exists) value = in.values[i];
  shared_keys[i] = key & mask;
  __syncthreads();  // all threads have read, so `in` and `out` may be the same
  if (!exists) return;
  std::uint32_t rank = 0;
  for (std::uint32_t j = 0; j < n; ++j) {
    const Key other = shared_keys[j];
    if (other < (key & mask) || (other == (key & mask) && j < i)) ++rank;
  }
  out.keys[rank] = order.unmap(key);
  if constexpr (sort::has_values<Value>) out.values[rank] = value;
}

// Shared memory of a block that sorts a bucket.
template <class Key, class Value>
struct BucketStorage {
  typename MsdTile<Key, Value>::Storage tile;
  std::uint32_t to[digit_values];
};

// The number of keys of tile t with digit threadIdx.x. `count` includes the tile's padding after
// the last of `size` keys, which counts as the largest digit.
template <class Tile>
__device__ inline std::uint32_t without_padding(std::uint32_t count, std::uint32_t t,
                                                std::uint32_t size, Digit digit) {
  const std::uint32_t end = (t + 1) * Tile::size;
  const bool padded = end > size && threadIdx.x == (1U << digit.bits) - 1;
  return padded ? count - (end - size) : count;
}

// The number of the bucket's keys with digit threadIdx.x.
template <class Key, class Value>
__device__ inline std::uint32_t count_bucket(const Key* keys, std::uint32_t size, Digit digit,
                                             BucketStorage<Key, Value>& storage) {
  MsdTile<Key, Value> tile;
  std::uint32_t count = 0;
  const std::uint32_t tiles = ceil_div(size, MsdTile<Key, Value>::size);
  for (std::uint32_t t = 0; t < tiles; ++t) {
    __syncthreads();  // the counters are reused
    tile.load_keys(keys, t, size, {});
    count += without_padding<MsdTile<Key, Value>>(tile.count(digit, storage.tile), t, size, digit);
  }
  return count;
}

// Moves the bucket's pairs to their places by one digit; `count` keys have digit threadIdx.x.
template <class Key, class Value>
__device__ inline void move_bucket(const PassBuffers<Key, Value>& buffers, std::uint32_t size,
                                   Digit digit, std::uint32_t count,
                                   BucketStorage<Key, Value>& storage) {
  MsdTile<Key, Value> tile;
  std::uint32_t next = block::exclusive_sum(count, storage.tile.scan).before;
  const std::uint32_t tiles = ceil_div(size, MsdTile<Key, Value>::size);
  for (std::uint32_t t = 0; t < tiles; ++t) {
    __syncthreads();  // the storage is reused
    tile.load_keys(buffers.keys_in, t, size, {});
    const std::uint32_t tile_count = tile.count(digit, storage.tile);
    storage.to[threadIdx.x] = next - tile.rank_keys(digit, tile_count, storage.tile);
    next += without_padding<MsdTile<Key, Value>>(tile_count, t, size, digit);
    tile.reorder_keys(storage.tile);
    __syncthreads();
    tile.write(t, size, digit, storage.to, buffers, storage.tile);
  }
}

// Block d sorts the bucket of digit d by `digits`. Passes alternate between `here`, where the
// buckets lie with mapped keys, and `there`. Both are written; the result, mapped back, is in
// `out`, which is one of them.
template <class Key, class Value>
__global__ void __launch_bounds__(sort::threads)
    bucket_kernel(Pairs<Key, Value> here, Pairs<Key, Value> there, Pairs<Key, Value> out,
                  std::uint32_t n, const std::uint32_t* begins, std::uint32_t tiles, Digits digits,
                  sort::Order<Key> order) {
  __shared__ BucketStorage<Key, Value> storage;
  const std::uint32_t begin = begins[blockIdx.x * tiles];
  const std::uint32_t end = blockIdx.x + 1 < gridDim.x ? begins[(blockIdx.x + 1) * tiles] : n;
  const std::uint32_t size = end - begin;
  if (size == 0) return;
  if (size <= sort::threads) {
    const Key mask = ((Key{1} << (digits.end_bit - digits.begin_bit)) - 1) << digits.begin_bit;
    sort_few(here.from(begin), out.from(begin), size, mask, order, storage.tile.sorted_keys);
    return;
  }

  bool is_mapped = order.changes();
  for (int pass = 0; pass < digits.count(); ++pass) {
    const Digit digit = digits[pass];
    const std::uint32_t count = count_bucket<Key, Value>(here.keys + begin, size, digit, storage);
    if (__syncthreads_count(count == size) > 0) continue;  // all keys have the same digit
    const bool is_last = pass == digits.count() - 1;
    const Pairs<Key, Value> from = here.from(begin);
    const Pairs<Key, Value> into = there.from(begin);
    move_bucket<Key, Value>({.keys_in = from.keys,
                             .values_in = from.values,
                             .keys_out = into.keys,
                             .values_out = into.values,
                             .order_in = {},
                             .order_out = is_last ? order : sort::Order<Key>{}},
                            size, digit, count, storage);
    if (is_last) is_mapped = false;
    __syncthreads();  // the next pass reads what the whole block wrote
    const Pairs<Key, Value> written = there;
    there = here;
    here = written;
  }

  // After skipped passes the pairs may lie in the wrong array and the keys may still be mapped.
  if (here.keys == out.keys && !is_mapped) return;
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += sort::threads) {
    out.keys[i] = is_mapped ? order.unmap(here.keys[i]) : here.keys[i];
    if constexpr (sort::has_values<Value>) out.values[i] = here.values[i];
  }
}

template <class Key, class Value>
void sort_from_most_significant(Stream& stream, const SortArgs& args, Scratch& scratch) {
  const auto out = sort::output_pairs<Key, Value>(args);
  const auto order = sort::order_of<Key>(args);
  const int high = args.end_bit - args.begin_bit < sort::digit_bits
                       ? args.begin_bit
                       : args.end_bit - sort::digit_bits;
  const bool one_pass = high == args.begin_bit;
  const Digit digit{high, args.end_bit - high};
  const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
  const sort::CountingPass<Key, Value> by_digit(stream, args.n, scratch);
  if (scratch.measuring()) return;

  // The digits that buckets are sorted by. If no pass is skipped, the last one ends in the output.
  const Digits rest{args.begin_bit, high};
  const bool even = rest.count() % 2 == 0;
  const Pairs<Key, Value>& first = even ? out : other;
  by_digit.run(stream,
               {.keys_in = static_cast<const Key*>(args.keys_in),
                .values_in = static_cast<const Value*>(args.values_in),
                .keys_out = first.keys,
                .values_out = first.values,
                .order_in = order,
                .order_out = one_pass ? order : sort::Order<Key>{}},
               digit);
  if (one_pass) return;
  launch(stream, KERNEL(bucket_kernel<Key, Value>), Shape(1U << digit.bits, sort::threads), first,
         even ? other : out, out, args.n, by_digit.begins(), by_digit.tiles(), rest, order);
}

}  // namespace

void sort_msd(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    sort_from_most_significant<decltype(key), decltype(value)>(stream, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
