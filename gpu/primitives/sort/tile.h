// A tile of a radix sort: how a block ranks keys by a digit and reorders them.
#pragma once

#include "gpu/block/packed.h"
#include "gpu/block/scan.h"
#include "gpu/primitives/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND::sort {

// The input. `values` null stands for 0, 1, ..., n - 1.
template <class Key, class Value>
struct Input {
  const Key* keys;
  const Value* values;
  Order<Key> order;
};

// The arrays that one pass reads and writes. `values_in` null stands for 0, 1, ..., n - 1.
template <class Key, class Value>
struct PassBuffers {
  const Key* keys_in;
  const Value* values_in;
  Key* keys_out;
  Value* values_out;
  Order<Key> order_in;   // maps the keys that are read
  Order<Key> order_out;  // maps back the keys that are written

  HOST_DEVICE void read(const Input<Key, Value>& input) {
    keys_in = input.keys;
    values_in = input.values;
    order_in = input.order;
  }
};

// A tile of `threads * items_each` consecutive pairs in the registers of a block. Each warp holds a
// contiguous stretch, item i of lane l at i * warp size + l of it: loads are coalesced, and the
// order (warp, item, lane) is the order of the input, which makes the ranking stable.
//
// Registers limit how many pairs an SM has in flight. Ranks and digits, which wait there until the
// values are written, are therefore small numbers, several to a register.
//
// Digits have at most `width` bits.
template <class Key, class Value, unsigned items_each, unsigned threads = sort::threads,
          int width = digit_bits>
struct Tile {
  static constexpr unsigned digit_values = 1U << width;
  static_assert(threads >= digit_values);
  static constexpr std::uint32_t size = threads * items_each;
  static_assert(size <= 1U << 16U);

  static constexpr unsigned most_warps = threads / warp::min_size;
  static constexpr unsigned counts_at_once = 4;  // more take registers that keys need

  Key keys[items_each];                // mapped
  block::Packed<16, items_each> rank;  // place in the sorted tile

  // Shared memory of the functions below.
  struct Storage {
    union {
      // Ranking: a counter for each digit in each warp, first the number of the warp's keys with
      // that digit, then the rank of the next such key.
      std::uint32_t counts[most_warps][digit_values];
      // Reordering: the tile by rank.
      Key sorted_keys[size];
      Value sorted_values[size];
    };
    block::SumStorage<threads> scan;
  };

  // Whether this thread handles a digit.
  __device__ static bool has_digit() {
    return threads == digit_values || threadIdx.x < digit_values;
  }

  // Place of item i in the input.
  __device__ static std::uint32_t place(std::uint32_t tile, unsigned i) {
    return tile * size + (warp::index() * items_each + i) * warp::size() + warp::lane();
  }

  // Keys from n on are all ones when mapped: their digit is the largest and they are last in the
  // input, so ranking puts them after every real key of the tile.
  __device__ void load_keys(const Key* in, std::uint32_t tile, std::uint32_t n,
                            const Order<Key>& order) {
    if (n - tile * size >= size) {
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) keys[i] = in[place(tile, 0) + i * warp::size()];
    } else {
      const Key last = order.unmap(~Key{0});
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t at = place(tile, i);
        keys[i] = at < n ? in[at] : last;
      }
    }
    if (!order.changes()) return;
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) keys[i] = order.map(keys[i]);
  }

  // Prefetches the tile's keys or values.
  template <class Item>
  __device__ static void prefetch_items(const Item* in, std::uint32_t tile, std::uint32_t n) {
    if constexpr (!std::is_same_v<Item, NoValue>) {
      constexpr std::uint32_t line = 128 / sizeof(Item);
      const std::uint32_t begin = tile * size;
      if (!in) return;
      for (std::uint32_t i = threadIdx.x * line; i < size && begin + i < n; i += threads * line)
        prefetch(&in[begin + i]);
    }
  }

  // Copies the tile: the pass of a sort whose keys are all the same.
  __device__ static void copy(std::uint32_t tile, std::uint32_t n,
                              const PassBuffers<Key, Value>& buffers) {
    const std::uint32_t begin = tile * size + threadIdx.x;
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t at = begin + i * threads;
      if (at < n)
        buffers.keys_out[at] = buffers.order_out.unmap(buffers.order_in.map(buffers.keys_in[at]));
    }
    if constexpr (has_values<Value>) {
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t at = begin + i * threads;
        if (at < n) buffers.values_out[at] = buffers.values_in ? buffers.values_in[at] : Value{at};
      }
    }
  }

  // Counts the tile's digits. Thread d gets the number of keys with digit d, other threads 0, and
  // the counters hold each warp's share. Ends without a barrier.
  __device__ std::uint32_t count(Digit digit, Storage& storage) const {
    UNROLL
    for (unsigned i = threadIdx.x; i < most_warps * digit_values; i += threads)
      storage.counts[i / digit_values][i % digit_values] = 0;
    __syncthreads();
    UNROLL
    for (unsigned i = 0; i < items_each; ++i)
      atomicAdd(&storage.counts[warp::index()][digit.of(keys[i])], 1U);
    __syncthreads();
    std::uint32_t sum = 0;
    if (has_digit()) {
      UNROLL_BY(counts_at_once)
      for (unsigned w = 0; w < threads / warp::size(); ++w) sum += storage.counts[w][threadIdx.x];
    }
    return sum;
  }

  // Ranks every key, after `count`. Thread d passes the count of digit d, other threads 0, and gets
  // the rank of the first key with that digit. `all_equal`, if given, is in shared memory, and true
  // if all keys of the tile have one digit: that digit's thread has set it. Ends without a barrier.
  __device__ std::uint32_t rank_keys(Digit digit, std::uint32_t digit_count, Storage& storage,
                                     const bool* all_equal = nullptr) {
    const std::uint32_t digit_begin = block::exclusive_sum(digit_count, storage.scan).before;
    rank = {};
    if (all_equal &&
        *all_equal) {  // visible to all after the sum's barrier; the keys are in order already
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) rank.set(i, place(0, i));
      return digit_begin;
    }
    if (has_digit()) {
      std::uint32_t next = digit_begin;
      UNROLL_BY(counts_at_once)
      for (unsigned w = 0; w < threads / warp::size(); ++w) {
        const std::uint32_t here = storage.counts[w][threadIdx.x];
        storage.counts[w][threadIdx.x] = next;
        next += here;
      }
    }
    __syncthreads();
    // Lanes with the same digit find each other; the last takes ranks for all of them at once. Only
    // this warp uses its row of counters, item after item in order.
    std::uint32_t* counts = storage.counts[warp::index()];
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t d = digit.of(keys[i]);
      const warp::LaneMask peers = warp::match<width>(warp::all_lanes(), d);
      const unsigned leader = warp::last(peers);
      std::uint32_t base = 0;
      if (warp::lane() == leader) base = atomicAdd(&counts[d], warp::count(peers));
      base = warp::shuffle(warp::all_lanes(), base, leader);
      rank.set(i, base + warp::count(peers & warp::lanes_before()));
    }
    return digit_begin;
  }

  // Reorders the keys by rank: afterwards storage.sorted_keys is the sorted tile. Ends without a
  // barrier.
  __device__ void reorder_keys(Storage& storage) const {
    __syncthreads();  // sorted keys replace the counters
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) storage.sorted_keys[rank[i]] = keys[i];
  }

  // Writes the sorted tile, after `reorder_keys` and a barrier: the key of rank r goes to
  // to[digit] + r, and so does its value. Neighbouring threads write neighbouring ranks, so runs of
  // one digit are coalesced.
  __device__ void write(std::uint32_t tile, std::uint32_t n, Digit digit, const std::uint32_t* to,
                        const PassBuffers<Key, Value>& buffers, Storage& storage) const {
    const std::uint32_t valid = n - tile * size < size ? n - tile * size : size;
    block::Packed<8, items_each> digits;
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t r = i * threads + threadIdx.x;
      const Key key = storage.sorted_keys[r];
      const std::uint32_t d = digit.of(key);
      digits.set(i, d);
      if (r < valid) buffers.keys_out[to[d] + r] = buffers.order_out.unmap(key);
    }

    if constexpr (has_values<Value>) {
      Value values[items_each];
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t at = place(tile, i);
        values[i] = buffers.values_in && at < n ? buffers.values_in[at] : Value{at};
      }
      __syncthreads();  // values replace the keys
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) storage.sorted_values[rank[i]] = values[i];
      __syncthreads();
      UNROLL
      for (unsigned i = 0; i < items_each; ++i) {
        const std::uint32_t r = i * threads + threadIdx.x;
        if (r < valid) buffers.values_out[to[digits[i]] + r] = storage.sorted_values[r];
      }
    }
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::sort
