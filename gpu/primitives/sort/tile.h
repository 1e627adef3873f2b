// A tile of a radix sort: how a block ranks keys by a digit, and brings them into order.
#pragma once

#include "gpu/block/scan.h"
#include "gpu/primitives/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND::sort {

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
    block::SumStorage<threads> scan;
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
    const std::uint32_t digit_begin = block::exclusive_sum(digit_count, storage.scan).before;
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

}  // namespace warpview::WARPVIEW_BACKEND::sort
