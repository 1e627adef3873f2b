// Onesweep: radix sort that reads and writes each pair once per pass.
//
// A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
// arXiv:2206.01784, 2022.
//
// The digits of all passes are counted in one read of the keys: sorting permutes keys but does not
// change how often a digit occurs. What is left for a pass is where each tile's keys of each digit
// begin, and that is a prefix sum over the tiles before it: 256 of them side by side, one for each
// digit, found by decoupled look-back while the block holds its tile in registers.

#include <algorithm>

#include "gpu/block/strided.h"
#include "gpu/block/ticket.h"
#include "gpu/primitives/sort/digit_states.h"
#include "gpu/primitives/sort/passes.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;
using sort::Digits;
using sort::DigitStates;

constexpr int max_passes = ceil_div(64, sort::digit_bits);

// Large tiles: runs of one digit are then long enough to fill the memory's sectors as they are
// written, and fewer tiles wait for each other. Two of them fill a multiprocessor's registers, and
// one of long keys or values the 48 KiB of shared memory that a block may have.
constexpr unsigned onesweep_threads = tile_extent(512U, 128U);
template <class Key, class Value>
constexpr unsigned usual_items_each = sizeof(Key) == 8 || sizeof(Value) == 8 ? 11
                                      : sort::has_values<Value>              ? 18
                                                                             : 20;
template <class Key, class Value>
constexpr unsigned onesweep_items_each = tile_extent(usual_items_each<Key, Value>, 2U);
constexpr unsigned blocks_each = 2;  // blocks a multiprocessor should hold: bounds the registers
template <class Key, class Value>
using OnesweepTile = sort::Tile<Key, Value, onesweep_items_each<Key, Value>, onesweep_threads>;

constexpr unsigned keys_each = tile_extent(16, 2);  // fewest keys worth a thread that counts
constexpr unsigned keys_at_once = 8;                // whose loads a thread has under way

// Adds to counts[pass][digit] how many keys have that digit. Each block counts in shared memory.
template <class Key>
__global__ void __launch_bounds__(sort::threads)
    histogram_kernel(const Key* keys, sort::Order<Key> order, std::uint32_t n, Digits digits,
                     std::uint32_t* counts) {
  __shared__ std::uint32_t mine[max_passes][digit_values];
  const int passes = digits.count();
  for (int pass = 0; pass < passes; ++pass) mine[pass][threadIdx.x] = 0;
  __syncthreads();
  block::visit_strided<keys_at_once>(keys, n, global_thread(), gridDim.x * sort::threads, Key{0},
                                     [&](std::uint32_t i, Key key) {
                                       if (i >= n) return;
                                       const Key mapped = order.map(key);
                                       for (int pass = 0; pass < passes; ++pass)
                                         atomicAdd(&mine[pass][digits[pass].of(mapped)], 1U);
                                     });
  __syncthreads();
  for (int pass = 0; pass < passes; ++pass)
    if (const std::uint32_t count = mine[pass][threadIdx.x]; count > 0)
      atomicAdd(&counts[pass * digit_values + threadIdx.x], count);
}

// One block per pass turns its counts into the place where each digit begins in the output.
__global__ void __launch_bounds__(sort::threads) begin_kernel(std::uint32_t* counts) {
  __shared__ block::SumStorage<sort::threads> storage;
  std::uint32_t* mine = counts + blockIdx.x * digit_values + threadIdx.x;
  *mine = block::exclusive_sum(*mine, storage).before;
}

template <class Key, class Value>
__global__ void RESIDENT_BLOCKS(onesweep_threads, blocks_each)
    onesweep_kernel(sort::PassBuffers<Key, Value> buffers, std::uint32_t n, Digit digit,
                    const std::uint32_t* begins, DigitStates states) {
  using Tile = OnesweepTile<Key, Value>;
  __shared__ typename Tile::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  __shared__ std::uint32_t ticket;
  // Tiles are numbered in the order in which blocks start: those that this one waits for have.
  const std::uint32_t number = block::take_ticket(states.ticket, ticket);

  Tile tile;
  tile.load_keys(buffers.keys_in, number, n, buffers.order_in);
  Tile::prefetch_values(buffers.values_in, number, n);
  // Counting before ranking costs a few shared-memory atomics and lets the successors go on early.
  const std::uint32_t count = tile.count(digit, storage);
  if (Tile::has_digit()) states.publish(number, block::aggregate_ready, count);
  const std::uint32_t digit_begin = tile.rank_keys(digit, count, storage);
  tile.reorder_keys(storage);
  if (Tile::has_digit()) {
    const std::uint32_t before = sort::look_back(states, number);
    states.publish(number, block::prefix_ready, before + count);
    to[threadIdx.x] = begins[threadIdx.x] + before - digit_begin;
  }
  __syncthreads();
  tile.write(number, n, digit, to, buffers, storage);
}

template <class Key, class Value>
void sort_in_one_sweep(Stream& stream, const SortArgs& args, Scratch& scratch) {
  const std::uint32_t tiles = ceil_div(args.n, OnesweepTile<Key, Value>::size);
  const Digits digits{args.begin_bit, args.end_bit};
  const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
  // Everything that starts at zero lies together: the counts and tickets of all passes, and the
  // states of all tiles in all passes.
  const auto passes = static_cast<std::size_t>(digits.count());
  const std::size_t states_a_pass = std::size_t{tiles} * digit_values;
  const std::size_t words = passes * (digit_values + 1 + states_a_pass);
  std::uint32_t* counts = scratch.take<std::uint32_t>(words);
  if (scratch.measuring()) return;
  std::uint32_t* tickets = counts + passes * digit_values;
  std::uint32_t* states = tickets + passes;

  stream.fill(counts, 0, words * sizeof(std::uint32_t));
  // As many blocks as the device holds at a time, each reading many keys.
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 8;
  const std::uint32_t blocks = std::min(ceil_div(args.n, sort::threads * keys_each), resident);
  launch(stream, KERNEL(histogram_kernel<Key>), Shape(blocks, sort::threads),
         static_cast<const Key*>(args.keys_in), sort::order_of<Key>(args), args.n, digits, counts);
  launch(stream, KERNEL(begin_kernel), Shape(static_cast<unsigned>(passes), sort::threads), counts);
  for (int pass = 0; pass < digits.count(); ++pass)
    launch(stream, KERNEL(onesweep_kernel<Key, Value>), Shape(tiles, onesweep_threads),
           sort::buffers_of_pass(args, pass, digits.count(), other), args.n, digits[pass],
           counts + pass * digit_values,
           DigitStates{states + static_cast<std::size_t>(pass) * states_a_pass, tickets + pass});
}

}  // namespace

void sort_onesweep(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    sort_in_one_sweep<decltype(key), decltype(value)>(stream, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
