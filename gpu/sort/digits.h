// What the radix sorts share: digits, and how a tile of keys is ranked and reordered in a block.
#pragma once

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

// A tile of `threads * items_each` consecutive pairs in the registers of a block. Each warp holds a
// contiguous stretch, item i of lane l at i * warp size + l of it: loads are coalesced, and the
// order (warp, item, lane) is the order of the input, which makes the ranking stable.
template <class Key, unsigned items_each>
struct Tile {
  static constexpr std::uint32_t size = threads * items_each;

  Key keys[items_each];
  std::uint32_t rank[items_each];  // place in the sorted tile

  // Shared memory of the functions below.
  struct Storage {
    union {
      // Ranking: a counter for each digit in each warp, first the number of the warp's keys with
      // that digit, then the rank of the next such key.
      std::uint32_t counts[threads / warp::min_size][digit_values];
      // Reordering: the tile by rank.
      Key sorted_keys[size];
      std::uint32_t sorted_values[size];
    };
    block::ScanStorage<threads> scan;
  };

  // Place of item i in the input.
  __device__ static std::uint32_t place(std::uint32_t tile, unsigned i) {
    return tile * size + (warp::index() * items_each + i) * warp::size() + warp::lane();
  }

  // Keys from n on are all ones: their digit is the largest and they stand last in the input, so
  // ranking puts them behind every real key of the tile.
  __device__ void load_keys(const Key* in, std::uint32_t tile, std::uint32_t n) {
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t at = place(tile, i);
      keys[i] = at < n ? in[at] : ~Key{0};
    }
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

  // Writes the sorted tile: the key of rank r goes to to[digit] + r. `valid` is the number of real
  // keys of the tile. Values go the same way; `values_in` null stands for the places themselves.
  // Neighbouring threads write neighbouring ranks, so runs of one digit are coalesced.
  __device__ void write(std::uint32_t tile, std::uint32_t n, Digit digit, const std::uint32_t* to,
                        const std::uint32_t* values_in, Key* keys_out, std::uint32_t* values_out,
                        Storage& storage) {
    const std::uint32_t valid = n - tile * size < size ? n - tile * size : size;
    std::uint32_t destination[items_each] = {};
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t r = i * threads + threadIdx.x;
      if (r < valid) {
        const Key key = storage.sorted_keys[r];
        destination[i] = to[digit.of(key)] + r;
        keys_out[destination[i]] = key;
      }
    }
    std::uint32_t values[items_each];
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t at = place(tile, i);
      values[i] = values_in && at < n ? values_in[at] : at;
    }
    __syncthreads();  // keys give way to values
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) storage.sorted_values[rank[i]] = values[i];
    __syncthreads();
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) {
      const std::uint32_t r = i * threads + threadIdx.x;
      if (r < valid) values_out[destination[i]] = storage.sorted_values[r];
    }
  }
};

// Throws Error unless the bit range fits the key and n is within what the sorts count in.
inline void check_arguments(const SortArgs& args) {
  if ((args.key_bits != 32 && args.key_bits != 64) || args.begin_bit < 0 ||
      args.end_bit > args.key_bits || args.begin_bit > args.end_bit)
    throw Error("radix sort of an impossible bit range", "keys have 32 or 64 bits",
                "Choose 0 <= begin_bit <= end_bit <= key_bits");
  if (args.n >= 1U << 30U)
    throw Error("radix sort of 2^30 pairs or more", "tile counts have 30 bits", "Sort fewer pairs");
}

// The buffers of one pass. Passes alternate between the output and a pair of temporary arrays so
// that the last one ends in the output; the first reads the input.
template <class Key>
struct PassBuffers {
  const Key* keys_in;
  const std::uint32_t* values_in;
  Key* keys_out;
  std::uint32_t* values_out;
};
template <class Key>
PassBuffers<Key> buffers_of_pass(const SortArgs& args, int pass, int passes, Key* other_keys,
                                 std::uint32_t* other_values) {
  const auto writes_output = [passes](int p) { return (passes - 1 - p) % 2 == 0; };
  auto* keys_out = static_cast<Key*>(args.keys_out);
  PassBuffers<Key> buffers;
  buffers.keys_in = pass == 0                 ? static_cast<const Key*>(args.keys_in)
                    : writes_output(pass - 1) ? keys_out
                                              : other_keys;
  buffers.values_in = pass == 0                 ? args.values_in
                      : writes_output(pass - 1) ? args.values_out
                                                : other_values;
  buffers.keys_out = writes_output(pass) ? keys_out : other_keys;
  buffers.values_out = writes_output(pass) ? args.values_out : other_values;
  return buffers;
}

static __global__ void identity_kernel(std::uint32_t* values, std::uint32_t n) {
  if (const std::uint32_t i = global_thread(); i < n) values[i] = i;
}

// A sort by no bits at all.
inline void copy_pairs(Stream& stream, const SortArgs& args) {
  stream.copy(args.keys_out, args.keys_in, std::size_t{args.n} * (args.key_bits / 8),
              Copy::device_to_device);
  if (args.values_in)
    stream.copy(args.values_out, args.values_in, std::size_t{args.n} * 4, Copy::device_to_device);
  else
    launch(stream, KERNEL(identity_kernel), one_thread_each(args.n), args.values_out, args.n);
}

// What the host function of every sort does: checks, copies where no bit is compared, and else
// calls sort_pairs(Key{}) with the type of the keys.
template <class SortPairs>
void sort_by_key_type(Stream& stream, const SortArgs& args, const Workspace& workspace,
                      SortPairs sort_pairs) {
  check_arguments(args);
  if (args.begin_bit == args.end_bit || args.n == 0) {
    if (!workspace.measuring() && args.n > 0) copy_pairs(stream, args);
  } else if (args.key_bits == 32) {
    sort_pairs(std::uint32_t{});
  } else {
    sort_pairs(std::uint64_t{});
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::sort
