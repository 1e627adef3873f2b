// Onesweep: radix sort that reads and writes each pair once a pass.
//
// A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
// arXiv:2206.01784, 2022.
//
// The digits of all passes are counted in one read of the keys: sorting permutes keys but does not
// change how often a digit occurs. What is left for a pass is where each tile's keys of each digit
// begin, and that is a prefix sum over the tiles before it: 256 of them side by side, one for each
// digit, found by decoupled look-back while the block holds its tile in registers.

#include <algorithm>

#include "gpu/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;

constexpr int max_passes = 64 / sort::digit_bits;

template <class Key, class Value>
constexpr unsigned items_each = sizeof(Key) == 8 || sizeof(Value) == 8 ? 12 : 20;
constexpr unsigned blocks_each = 3;  // blocks a multiprocessor should hold: bounds the registers

// The bit ranges of all passes, by value to the kernel.
struct Digits {
  int passes;
  int begin_bit;
  int end_bit;

  WARPVIEW_HD Digit operator[](int pass) const {
    const int shift = begin_bit + pass * sort::digit_bits;
    return {shift, end_bit - shift < sort::digit_bits ? end_bit - shift : sort::digit_bits};
  }
};

constexpr unsigned keys_at_once = 8;

// Adds to counts[pass][digit] how many keys have that digit. Each block counts in shared memory. A
// thread asks for several keys before it counts the first: what limits it is the wait for memory.
template <class Key>
__global__ void __launch_bounds__(sort::threads)
    histogram_kernel(const Key* keys, sort::Order<Key> order, std::uint32_t n, Digits digits,
                     std::uint32_t* counts) {
  __shared__ std::uint32_t mine[max_passes][digit_values];
  for (int pass = 0; pass < digits.passes; ++pass) mine[pass][threadIdx.x] = 0;
  __syncthreads();
  const std::uint32_t stride = gridDim.x * sort::threads;
  for (std::uint32_t first = global_thread(); first < n; first += keys_at_once * stride) {
    Key key[keys_at_once];
    UNROLL
    for (unsigned k = 0; k < keys_at_once; ++k) {
      const std::uint32_t i = first + k * stride;
      key[k] = i < n ? keys[i] : Key{0};
    }
    UNROLL
    for (unsigned k = 0; k < keys_at_once; ++k) {
      if (first + k * stride >= n) continue;
      const Key mapped = order.map(key[k]);
      for (int pass = 0; pass < digits.passes; ++pass)
        atomicAdd(&mine[pass][digits[pass].of(mapped)], 1U);
    }
  }
  __syncthreads();
  for (int pass = 0; pass < digits.passes; ++pass)
    if (const std::uint32_t count = mine[pass][threadIdx.x]; count > 0)
      atomicAdd(&counts[pass * digit_values + threadIdx.x], count);
}

// One block a pass turns its counts into the place where each digit begins in the output.
__global__ void __launch_bounds__(sort::threads) begin_kernel(std::uint32_t* counts) {
  __shared__ block::ScanStorage<sort::threads> storage;
  std::uint32_t* mine = counts + blockIdx.x * digit_values + threadIdx.x;
  std::uint32_t total;
  *mine = block::exclusive_sum(*mine, storage, total);
}

// What a tile publishes for one digit: two bits of flag and a count of 30, in one word that is read
// and written as a whole, so no fence is needed.
enum : std::uint32_t { not_ready = 0, aggregate_ready = 1U << 30U, prefix_ready = 2U << 30U };
constexpr std::uint32_t count_mask = (1U << 30U) - 1;

// How many keys with digit threadIdx.x lie in the tiles before `tile`; also publishes this tile's
// inclusive prefix. Each thread walks back alone, but neighbours read neighbouring words. As the
// walk is a chain of waits for memory, a thread asks for several predecessors at a time.
__device__ inline std::uint32_t look_back(std::uint32_t* states, std::uint32_t tile,
                                          std::uint32_t tile_count) {
  constexpr std::uint32_t window = 4;
  std::uint32_t before = 0;
  bool found = tile == 0;
  for (std::uint32_t t = tile; !found;) {
    std::uint32_t state[window];
    UNROLL
    for (std::uint32_t k = 0; k < window; ++k)  // before tile 0 lies an empty prefix
      state[k] = k < t ? load_relaxed(&states[(t - 1 - k) * digit_values + threadIdx.x])
                       : std::uint32_t{prefix_ready};
    std::uint32_t taken = 0;
    bool blocked = false;
    UNROLL
    for (std::uint32_t k = 0; k < window; ++k) {
      blocked = blocked || state[k] == not_ready;
      if (blocked || found) continue;
      before += state[k] & count_mask;
      found = (state[k] & prefix_ready) != 0;
      ++taken;
    }
    t -= taken;
    if (!found && taken == 0) backoff();
  }
  store_relaxed(&states[tile * digit_values + threadIdx.x], prefix_ready | (before + tile_count));
  return before;
}

template <class Key, class Value>
__global__ void __launch_bounds__(sort::threads, blocks_each)
    onesweep_kernel(sort::PassBuffers<Key, Value> buffers, std::uint32_t n, Digit digit,
                    const std::uint32_t* begins, std::uint32_t* states, std::uint32_t* ticket) {
  using Tile = sort::Tile<Key, Value, items_each<Key, Value>>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  __shared__ std::uint32_t shared_tile;

  // Tiles are numbered in the order in which blocks really start: see scan/lookback.cu.
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1U);
  __syncthreads();
  const std::uint32_t t = shared_tile;

  Tile tile;
  tile.load_keys(buffers.keys_in, t, n, buffers.order_in);
  // Counting before ranking costs a few shared-memory atomics and lets the successors go on early.
  const std::uint32_t count = tile.count(digit, storage);
  store_relaxed(&states[t * digit_values + threadIdx.x], aggregate_ready | count);
  const std::uint32_t digit_begin = tile.rank_keys(digit, count, storage);
  tile.reorder_keys(storage);
  to[threadIdx.x] = begins[threadIdx.x] + look_back(states, t, count) - digit_begin;
  __syncthreads();
  tile.write(t, n, digit, to, buffers, storage);
}

template <class Key, class Value>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  const std::uint32_t tiles =
      ceil_div(args.n, sort::Tile<Key, Value, items_each<Key, Value>>::size);
  const Digits digits{sort::pass_count(args.begin_bit, args.end_bit), args.begin_bit, args.end_bit};
  const auto other = sort::take_pairs<Key, Value>(args.n, workspace);
  // Everything that starts at zero lies together: the counts and tickets of all passes, and the
  // states of all tiles in all passes.
  const std::size_t passes = static_cast<std::size_t>(digits.passes);
  const std::size_t states_a_pass = std::size_t{tiles} * digit_values;
  const std::size_t words = passes * (digit_values + 1 + states_a_pass);
  std::uint32_t* counts = workspace.take<std::uint32_t>(words);
  if (workspace.measuring()) return;
  std::uint32_t* tickets = counts + passes * digit_values;
  std::uint32_t* states = tickets + passes;

  stream.fill(counts, 0, words * sizeof(std::uint32_t));
  // As many blocks as the device holds at a time, each reading many keys.
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  const std::uint32_t blocks = std::min(ceil_div(args.n, sort::threads * 16), resident);
  launch(stream, KERNEL(histogram_kernel<Key>), Shape(blocks, sort::threads),
         static_cast<const Key*>(args.keys_in), sort::order_of<Key>(args), args.n, digits, counts);
  launch(stream, KERNEL(begin_kernel), Shape(static_cast<unsigned>(passes), sort::threads), counts);
  for (int pass = 0; pass < digits.passes; ++pass)
    launch(stream, KERNEL(onesweep_kernel<Key, Value>), Shape(tiles, sort::threads),
           sort::buffers_of_pass(args, pass, digits.passes, other), args.n, digits[pass],
           counts + pass * digit_values, states + static_cast<std::size_t>(pass) * states_a_pass,
           tickets + pass);
}

}  // namespace

void sort_onesweep(Stream& stream, const SortArgs& args, Workspace& workspace) {
  sort::sort_by_widths(stream, args, workspace, [&](auto key, auto value) {
    sort_pairs<decltype(key), decltype(value)>(stream, args, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
