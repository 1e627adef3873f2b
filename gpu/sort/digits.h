// What the radix sorts share: digits, and how a tile of keys is ranked and reordered in a block.
#pragma once

#include <string>
#include <type_traits>

#include "gpu/block/scan.h"
#include "gpu/runtime/kernel.h"
#include "gpu/sort/sort.h"

namespace warpview::WARPVIEW_BACKEND::sort {

inline constexpr int digit_bits = 8;
inline constexpr unsigned digit_values = 1U << digit_bits;
inline constexpr unsigned threads = digit_values;  // thread d of a block looks after digit d

// One pass sorts by key bits [shift, shift + bits).
struct Digit {
  int shift;
  int bits;  // 1 to 8

  template <class Key>
  WARPVIEW_HD std::uint32_t of(Key key) const {
    return static_cast<std::uint32_t>(key >> shift) & ((1U << bits) - 1);
  }
};

inline int pass_count(int begin_bit, int end_bit) {
  return ceil_div(end_bit - begin_bit, digit_bits);
}
inline Digit digit_of_pass(int pass, int begin_bit, int end_bit) {
  const int shift = begin_bit + pass * digit_bits;
  return {shift, end_bit - shift < digit_bits ? end_bit - shift : digit_bits};
}

// Kernels know keys as unsigned integers of their width, and sort these ascending. What the keys
// mean and which way they go is one mapping to and fro: the first pass maps what it reads, the last
// maps back what it writes, and a pass whose order changes nothing takes neither step.
template <class Key>
struct Order {
  Key flip = 0;           // bits to complement
  Key flip_negative = 0;  // more of them, without the highest, where the highest is set

  WARPVIEW_HD bool changes() const { return (flip | flip_negative) != 0; }
  WARPVIEW_HD Key map(Key key) const { return magnitude(key) ^ flip; }
  WARPVIEW_HD Key unmap(Key mapped) const { return magnitude(mapped ^ flip); }

 private:
  // Its own inverse, as it keeps the highest bit.
  WARPVIEW_HD Key magnitude(Key key) const {
    const auto is_negative = static_cast<std::make_signed_t<Key>>(key) < 0;
    return is_negative ? key ^ flip_negative : key;
  }
};

template <class Key>
Order<Key> order_of(const SortArgs& args) {
  constexpr Key highest = Key{1} << (8 * sizeof(Key) - 1);
  Order<Key> order;
  if (args.key == SortKey::i32 || args.key == SortKey::f32) order.flip = highest;
  if (args.key == SortKey::f32) order.flip_negative = ~highest;
  // Complements compare the other way round, and equal ones are still equal: stable.
  if (args.descending) order.flip = ~order.flip;
  return order;
}

// Values are unsigned integers of their width, or this.
struct NoValue {};
template <class Value>
inline constexpr bool has_values = !std::is_same_v<Value, NoValue>;

// What one pass reads and writes. `values_in` null stands for 0, 1, ..., n - 1.
template <class Key, class Value>
struct PassBuffers {
  const Key* keys_in;
  const Value* values_in;
  Key* keys_out;
  Value* values_out;
  Order<Key> order_in;   // maps the keys that are read
  Order<Key> order_out;  // maps back the keys that are written
};

// A tile of `threads * items_each` consecutive pairs in the registers of a block. Each warp holds a
// contiguous stretch, item i of lane l at i * warp size + l of it: loads are coalesced, and the
// order (warp, item, lane) is the order of the input, which makes the ranking stable.
template <class Key, class Value, unsigned items_each>
struct Tile {
  static constexpr std::uint32_t size = threads * items_each;

  Key keys[items_each];            // mapped
  std::uint32_t rank[items_each];  // place in the sorted tile

  // Shared memory of the functions below.
  struct Storage {
    union {
      // Ranking: a counter for each digit in each warp, first the number of the warp's keys with
      // that digit, then the rank of the next such key.
      std::uint32_t counts[threads / warp::min_size][digit_values];
      // Reordering: the tile by rank.
      Key sorted_keys[size];
      Value sorted_values[size];
    };
    block::ScanStorage<threads> scan;
  };

  // Place of item i in the input.
  __device__ static std::uint32_t place(std::uint32_t tile, unsigned i) {
    return tile * size + (warp::index() * items_each + i) * warp::size() + warp::lane();
  }

  // Keys from n on are all ones when mapped: their digit is the largest and they stand last in the
  // input, so ranking puts them behind every real key of the tile.
  __device__ void load_keys(const Key* in, std::uint32_t tile, std::uint32_t n,
                            const Order<Key>& order) {
    const Key last = order.unmap(~Key{0});
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t at = place(tile, i);
      keys[i] = at < n ? in[at] : last;
    }
    if (!order.changes()) return;
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) keys[i] = order.map(keys[i]);
  }

  // Counts the tile's digits. Thread d gets the number of keys with digit d, and the counters hold
  // each warp's share. Ends without a barrier.
  __device__ std::uint32_t count(Digit digit, Storage& storage) const {
    for (unsigned w = 0; w < threads / warp::min_size; ++w) storage.counts[w][threadIdx.x] = 0;
    __syncthreads();
    UNROLL
    for (unsigned i = 0; i < items_each; ++i)
      atomicAdd(&storage.counts[warp::index()][digit.of(keys[i])], 1U);
    __syncthreads();
    std::uint32_t sum = 0;
    for (unsigned w = 0; w < threads / warp::size(); ++w) sum += storage.counts[w][threadIdx.x];
    return sum;
  }

  // Ranks every key, after `count`. Thread d gives the count of digit d and gets the rank of the
  // first key with that digit. Ends without a barrier.
  __device__ std::uint32_t rank_keys(Digit digit, std::uint32_t digit_count, Storage& storage) {
    std::uint32_t total;
    const std::uint32_t digit_begin = block::exclusive_sum(digit_count, storage.scan, total);
    std::uint32_t next = digit_begin;
    for (unsigned w = 0; w < threads / warp::size(); ++w) {
      const std::uint32_t here = storage.counts[w][threadIdx.x];
      storage.counts[w][threadIdx.x] = next;
      next += here;
    }
    __syncthreads();
    // Lanes with the same digit find each other; the first takes ranks for all of them at once.
    // Only this warp touches its row of counters, item after item in order.
    std::uint32_t* counts = storage.counts[warp::index()];
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t d = digit.of(keys[i]);
      const warp::LaneMask peers = warp::match(warp::all_lanes(), d, digit.bits);
      const unsigned leader = warp::first(peers);
      std::uint32_t base = 0;
      if (warp::lane() == leader) base = atomicAdd(&counts[d], warp::count(peers));
      base = warp::shuffle(warp::all_lanes(), base, leader);
      rank[i] = base + warp::count(peers & warp::lanes_before());
    }
    return digit_begin;
  }

  // Brings the keys into ranked order: afterwards storage.sorted_keys is the sorted tile.
  __device__ void reorder_keys(Storage& storage) const {
    __syncthreads();  // the counters give way
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) storage.sorted_keys[rank[i]] = keys[i];
    __syncthreads();
  }

  // Writes the sorted tile, after `reorder_keys`: the key of rank r goes to to[digit] + r, and its
  // value the same way. Neighbouring threads write neighbouring ranks, so runs of one digit are
  // coalesced.
  __device__ void write(std::uint32_t tile, std::uint32_t n, Digit digit, const std::uint32_t* to,
                        const PassBuffers<Key, Value>& buffers, Storage& storage) {
    const std::uint32_t valid = n - tile * size < size ? n - tile * size : size;
    std::uint32_t destination[items_each];
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t r = i * threads + threadIdx.x;
      keys[i] = storage.sorted_keys[r];
      destination[i] = to[digit.of(keys[i])] + r;
    }
    if (buffers.order_out.changes()) {
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) keys[i] = buffers.order_out.unmap(keys[i]);
    }
    UNROLL
    for (unsigned i = 0; i < items_each; ++i)
      if (i * threads + threadIdx.x < valid) buffers.keys_out[destination[i]] = keys[i];

    if constexpr (has_values<Value>) {
      Value values[items_each];
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t at = place(tile, i);
        values[i] = buffers.values_in && at < n ? buffers.values_in[at] : Value{at};
      }
      __syncthreads();  // keys give way to values
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) storage.sorted_values[rank[i]] = values[i];
      __syncthreads();
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t r = i * threads + threadIdx.x;
        if (r < valid) buffers.values_out[destination[i]] = storage.sorted_values[r];
      }
    }
  }
};

// Throws Error unless the arguments make sense and n is within what the sorts count in.
inline void check_arguments(const SortArgs& args) {
  if (args.begin_bit < 0 || args.end_bit > bits_of(args.key) || args.begin_bit > args.end_bit)
    throw Error("radix sort of an impossible bit range",
                "these keys have " + std::to_string(bits_of(args.key)) + " bits",
                "Choose 0 <= begin_bit <= end_bit <= the bits of a key");
  if (args.value_bytes != 0 && args.value_bytes != 4 && args.value_bytes != 8)
    throw Error("radix sort with values of " + std::to_string(args.value_bytes) + " bytes",
                "values have 4 or 8 bytes, or 0 where keys are sorted alone",
                "Sort 4-byte indices and gather by them");
  if (args.n >= 1U << 30U)
    throw Error("radix sort of 2^30 keys or more", "tile counts have 30 bits", "Sort fewer keys");
}

// A second array of keys and values, which passes use in turn with the output.
template <class Key, class Value>
struct Pairs {
  Key* keys;
  Value* values;  // null where there are none

  // From pair i on.
  WARPVIEW_HD Pairs from(std::uint32_t i) const {
    if constexpr (has_values<Value>)
      return {keys + i, values + i};
    else
      return {keys + i, nullptr};
  }
};
template <class Key, class Value>
Pairs<Key, Value> take_pairs(std::uint32_t n, Workspace& workspace) {
  auto* keys = workspace.take<Key>(n);
  if constexpr (has_values<Value>)
    return {keys, workspace.take<Value>(n)};
  else
    return {keys, nullptr};
}
template <class Key, class Value>
Pairs<Key, Value> output_pairs(const SortArgs& args) {
  return {static_cast<Key*>(args.keys_out), static_cast<Value*>(args.values_out)};
}

// The buffers of pass `pass` of `passes`. Passes alternate between the output and `other` so that
// the last one ends in the output; the first reads the input.
template <class Key, class Value>
PassBuffers<Key, Value> buffers_of_pass(const SortArgs& args, int pass, int passes,
                                        const Pairs<Key, Value>& other) {
  const Pairs<Key, Value> out = output_pairs<Key, Value>(args);
  const bool is_first = pass == 0;
  const bool is_last = pass == passes - 1;
  const bool writes_out = (passes - 1 - pass) % 2 == 0;
  const Pairs<Key, Value>& from = writes_out ? other : out;
  const Pairs<Key, Value>& to = writes_out ? out : other;
  return {.keys_in = is_first ? static_cast<const Key*>(args.keys_in) : from.keys,
          .values_in = is_first ? static_cast<const Value*>(args.values_in) : from.values,
          .keys_out = to.keys,
          .values_out = to.values,
          .order_in = is_first ? order_of<Key>(args) : Order<Key>{},
          .order_out = is_last ? order_of<Key>(args) : Order<Key>{}};
}

template <class Value>
__global__ void identity_kernel(Value* values, std::uint32_t n) {
  if (const std::uint32_t i = global_thread(); i < n) values[i] = i;
}
// values[i] = i.
inline void fill_identity(Stream& stream, int value_bytes, void* values, std::uint32_t n) {
  if (value_bytes == 4)
    launch(stream, KERNEL(identity_kernel<std::uint32_t>), one_thread_each(n),
           static_cast<std::uint32_t*>(values), n);
  else
    launch(stream, KERNEL(identity_kernel<std::uint64_t>), one_thread_each(n),
           static_cast<std::uint64_t*>(values), n);
}

// A sort by no bits at all.
inline void copy_pairs(Stream& stream, const SortArgs& args) {
  const auto value_bytes = static_cast<std::size_t>(args.value_bytes);
  stream.copy(args.keys_out, args.keys_in, std::size_t{args.n} * (bits_of(args.key) / 8),
              Copy::device_to_device);
  if (value_bytes == 0) return;
  if (args.values_in)
    stream.copy(args.values_out, args.values_in, args.n * value_bytes, Copy::device_to_device);
  else
    fill_identity(stream, args.value_bytes, args.values_out, args.n);
}

// Checks the arguments and does what takes no sorting. Is anything left to do?
inline bool must_sort(Stream& stream, const SortArgs& args, const Workspace& workspace) {
  check_arguments(args);
  if (args.n == 0) return false;
  if (args.begin_bit < args.end_bit) return true;
  if (!workspace.measuring()) copy_pairs(stream, args);
  return false;
}

template <class Key, class SortPairs>
void with_value_type(int value_bytes, SortPairs sort_pairs) {
  if (value_bytes == 0)
    sort_pairs(Key{}, NoValue{});
  else if (value_bytes == 4)
    sort_pairs(Key{}, std::uint32_t{});
  else
    sort_pairs(Key{}, std::uint64_t{});
}
// What the host function of each of our sorts does: sort_pairs(Key{}, Value{}) with the unsigned
// integers of the widths asked for, where anything must be sorted.
template <class SortPairs>
void sort_by_widths(Stream& stream, const SortArgs& args, const Workspace& workspace,
                    SortPairs sort_pairs) {
  if (!must_sort(stream, args, workspace)) return;
  if (bits_of(args.key) == 32)
    with_value_type<std::uint32_t>(args.value_bytes, sort_pairs);
  else
    with_value_type<std::uint64_t>(args.value_bytes, sort_pairs);
}

}  // namespace warpview::WARPVIEW_BACKEND::sort
