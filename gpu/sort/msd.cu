// Radix sort, most significant digit first.
//
// D. Knuth, The Art of Computer Programming 3, section 5.2.5; on GPUs: E. Stehle, H.-A. Jacobsen,
// "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", SIGMOD 2017.
//
// After one pass by the highest digit the pairs lie in 256 buckets that never mix again, so one
// launch finishes them all: a block a bucket, without a word to other blocks. What remains to be
// compared is less than in the least-significant-digit sorts, too: where all keys of a bucket have
// the same digit, its pass is left out, and a bucket of few pairs is sorted in a single step.
//
// The price is balance. Random keys fill the buckets evenly; if most keys share the highest digit,
// one block sorts most of them while the others have left. Stehle and Jacobsen split such buckets
// further; this sort is right for every input, and quick for evenly spread ones.

#include "gpu/sort/counting.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;

using sort::Pairs;

template <class Key, class Value>
using Tile = sort::Tile<Key, Value, sort::counting::items_each<Key>>;

// Sorts at most one pair a thread: a thread counts the pairs that belong before its own. Compares
// the bits of `mask`; pairs with equal ones keep their order. Keys are mapped back as they are
// written. Called by all threads of a block.
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
  __syncthreads();  // all is read, so `in` and `out` may be the same
  if (!exists) return;
  std::uint32_t rank = 0;
  for (std::uint32_t j = 0; j < n; ++j) {
    const Key other = shared_keys[j];
    if (other < (key & mask) || (other == (key & mask) && j < i)) ++rank;
  }
  out.keys[rank] = order.unmap(key);
  if constexpr (sort::has_values<Value>) out.values[rank] = value;
}

// Block d sorts the bucket of digit d by key bits [begin_bit, end_bit), least significant digit
// first, to and fro between `here`, where the buckets lie with mapped keys, and `there`. Both are
// written; the result, mapped back, is in `out`, which is one of them.
template <class Key, class Value>
__global__ void __launch_bounds__(sort::threads)
    bucket_kernel(Pairs<Key, Value> here, Pairs<Key, Value> there, Pairs<Key, Value> out,
                  std::uint32_t n, const std::uint32_t* begins, std::uint32_t tiles, int begin_bit,
                  int end_bit, sort::Order<Key> order) {
  __shared__ typename Tile<Key, Value>::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  const std::uint32_t begin = begins[blockIdx.x * tiles];
  const std::uint32_t end = blockIdx.x + 1 < gridDim.x ? begins[(blockIdx.x + 1) * tiles] : n;
  const std::uint32_t size = end - begin;
  if (size == 0) return;
  if (size <= sort::threads) {
    const Key mask = ((Key{1} << (end_bit - begin_bit)) - 1) << begin_bit;
    sort_few(here.from(begin), out.from(begin), size, mask, order, storage.sorted_keys);
    return;
  }
  const std::uint32_t tiles_here = ceil_div(size, Tile<Key, Value>::size);
  bool is_mapped = order.changes();

  for (int shift = begin_bit; shift < end_bit; shift += sort::digit_bits) {
    const Digit digit{shift,
                      end_bit - shift < sort::digit_bits ? end_bit - shift : sort::digit_bits};
    // How many keys of the tile in registers have digit threadIdx.x, its padding left out.
    const auto without_padding = [&](std::uint32_t count, std::uint32_t t) {
      const std::uint32_t tile_end = (t + 1) * Tile<Key, Value>::size;
      const bool padded = tile_end > size && threadIdx.x == (1U << digit.bits) - 1;
      return padded ? count - (tile_end - size) : count;
    };
    Tile<Key, Value> tile;
    std::uint32_t count = 0;
    for (std::uint32_t t = 0; t < tiles_here; ++t) {
      __syncthreads();  // the counters are used again
      tile.load_keys(here.keys + begin, t, size, {});
      count += without_padding(tile.count(digit, storage), t);
    }
    if (__syncthreads_count(count == size) > 0) continue;

    const bool is_last = shift + digit.bits == end_bit;
    const Pairs<Key, Value> from = here.from(begin);
    const Pairs<Key, Value> into = there.from(begin);
    const sort::PassBuffers<Key, Value> buffers{.keys_in = from.keys,
                                                .values_in = from.values,
                                                .keys_out = into.keys,
                                                .values_out = into.values,
                                                .order_in = {},
                                                .order_out = is_last ? order : sort::Order<Key>{}};
    std::uint32_t total;
    std::uint32_t next = block::exclusive_sum(count, storage.scan, total);
    for (std::uint32_t t = 0; t < tiles_here; ++t) {
      __syncthreads();  // so is everything else
      tile.load_keys(here.keys + begin, t, size, {});
      const std::uint32_t tile_count = tile.count(digit, storage);
      const std::uint32_t digit_begin = tile.rank_keys(digit, tile_count, storage);
      to[threadIdx.x] = next - digit_begin;
      next += without_padding(tile_count, t);
      tile.reorder_keys(storage);
      tile.write(t, size, digit, to, buffers, storage);
    }
    if (is_last) is_mapped = false;
    __syncthreads();  // the next pass reads what the whole block wrote
    const Pairs<Key, Value> written = there;
    there = here;
    here = written;
  }

  // Where passes were left out, the pairs may lie in the wrong place and the keys be mapped yet.
  if (here.keys == out.keys && !is_mapped) return;
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += sort::threads) {
    out.keys[i] = is_mapped ? order.unmap(here.keys[i]) : here.keys[i];
    if constexpr (sort::has_values<Value>) out.values[i] = here.values[i];
  }
}

template <class Key, class Value>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  const auto out = sort::output_pairs<Key, Value>(args);
  const auto order = sort::order_of<Key>(args);
  const int high = args.end_bit - args.begin_bit < sort::digit_bits
                       ? args.begin_bit
                       : args.end_bit - sort::digit_bits;
  const bool one_pass = high == args.begin_bit;
  const Digit digit{high, args.end_bit - high};
  const auto other = sort::take_pairs<Key, Value>(args.n, workspace);
  const sort::counting::Pass<Key, Value> by_digit(stream, args.n, workspace);
  if (workspace.measuring()) return;

  // If no pass is left out, the last one ends in the output.
  const bool even = sort::pass_count(args.begin_bit, high) % 2 == 0;
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
         even ? other : out, out, args.n, by_digit.begins(), by_digit.tiles(), args.begin_bit, high,
         order);
}

}  // namespace

void sort_msd(Stream& stream, const SortArgs& args, Workspace& workspace) {
  sort::sort_by_widths(stream, args, workspace, [&](auto key, auto value) {
    sort_pairs<decltype(key), decltype(value)>(stream, args, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
