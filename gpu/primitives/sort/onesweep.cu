// Onesweep: radix sort that reads and writes each pair once per pass.
//
// A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
// arXiv:2206.01784, 2022.
//
// The digits of all passes are counted in one read of the keys: sorting permutes keys but does not
// change how often a digit occurs. What is left for a pass is where each tile's keys of each digit
// begin, and that is a prefix sum over the tiles before it: 256 of them side by side, one for each
// digit, found by decoupled look-back while the block holds its tile in registers.
//
// A pass by a digit that all keys share would move nothing, and is left out. The host does not know
// which those are when it launches. So the blocks of the first launches end at once, as many as
// there are such digits, and each launch behind them finds in memory by which digit it sorts: what
// it writes does not depend on that, and the last one ends in the output.

#include <algorithm>

#include "gpu/block/last_block.h"
#include "gpu/block/rows.h"
#include "gpu/block/strided.h"
#include "gpu/block/ticket.h"
#include "gpu/block/tuning.h"
#include "gpu/primitives/sort/digit_states.h"
#include "gpu/primitives/sort/passes.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::Digit;
using sort::digit_values;
using sort::Digits;
using sort::DigitStates;

// Two blocks fill a multiprocessor's registers.
constexpr unsigned onesweep_threads = tile_extent(512U, 128U);
constexpr unsigned blocks_each = 2;  // blocks a multiprocessor should hold: bounds the registers
template <class Key, class Value>
constexpr unsigned onesweep_items_each = sizeof(Value) == 8 ? block::Tuning::sweep_long_values
                                         : sizeof(Key) == 8 ? block::Tuning::sweep_long
                                         : sort::has_values<Value> ? block::Tuning::sweep_pairs
                                                                   : block::Tuning::sweep_keys;
template <class Key, class Value>
using OnesweepTile = sort::Tile<Key, Value, onesweep_items_each<Key, Value>, onesweep_threads>;

constexpr unsigned keys_each = tile_extent(16, 2);  // fewest keys worth a thread that counts
constexpr unsigned bytes_at_once = 64;              // whose loads a thread has under way
// Blocks of a multiprocessor that count. Each adds its counts to those in memory, so that more of
// them cost more there than they gain.
constexpr unsigned counting_blocks_each = 4;

// What a launch does, known once the keys are counted.
struct Turn {
  std::uint32_t word;

  static constexpr std::uint32_t sorts = 1;   // by a digit
  static constexpr std::uint32_t copies = 2;  // there is no digit to sort by
  static constexpr std::uint32_t first = 4;   // it reads the input
  static constexpr unsigned digit_at = 8;     // from this bit on: the digit's number

  __device__ bool is_left_out() const { return word == 0; }
  __device__ bool only_copies() const { return (word & copies) != 0; }
  __device__ bool is_first() const { return (word & first) != 0; }
  __device__ int digit() const { return static_cast<int>(word >> digit_at); }
};

// What the passes know of all keys. One fill makes it, and the states of all tiles, zero.
struct Totals {
  std::uint32_t* begins;    // [pass][digit]: first how many keys have the digit
  std::uint32_t* tickets;   // [pass]
  Turn* turns;              // [launch]
  std::uint32_t* finished;  // blocks that have counted

  static constexpr std::size_t words_a_pass = digit_values + 2;
  Totals(std::uint32_t* words, std::size_t passes)
      : begins(words),
        tickets(begins + passes * digit_values),
        turns(reinterpret_cast<Turn*>(tickets + passes)),
        finished(tickets + 2 * passes) {}
};

// By one thread. The last launches sort, each by one of the digits that keys do not share, in their
// order. Without any the last one copies.
__device__ inline void deal_turns(Turn* turns, const bool* is_shared, int passes) {
  int launch = passes;
  for (int digit = passes - 1; digit >= 0; --digit)
    if (!is_shared[digit])
      turns[--launch] = {Turn::sorts | static_cast<std::uint32_t>(digit) << Turn::digit_at};
  if (launch == passes) turns[--launch] = {Turn::copies};
  turns[launch].word |= Turn::first;
}

// Counts how many keys have each digit, each block in shared memory. The last block to finish turns
// the counts into the places where the digits begin in the output, and deals the turns.
template <class Key>
__global__ void RESIDENT_BLOCKS(sort::threads, counting_blocks_each)
    histogram_kernel(const Key* keys, bool aligned, sort::Order<Key> order, std::uint32_t n,
                     Digits digits, Totals totals) {
  constexpr int most = ceil_div(static_cast<int>(8 * sizeof(Key)), sort::digit_bits);
  using Vector = block::Vector<Key>;
  __shared__ std::uint32_t mine[most][digit_values];
  __shared__ block::SumStorage<sort::threads> storage;
  __shared__ bool is_last;
  __shared__ bool is_shared[most];
  const int passes = digits.count();
  for (int pass = 0; pass < passes; ++pass) mine[pass][threadIdx.x] = 0;
  if (threadIdx.x < most) is_shared[threadIdx.x] = false;
  __syncthreads();

  const Key ones = digits.ones<Key>();
  const auto add = [&](Key key) {
    const Key all = order.map(key) >> digits.begin_bit & ones;
    UNROLL
    for (int pass = 0; pass < most; ++pass)
      if (pass < passes) atomicAdd(&mine[pass][Digits::one_of(all, pass)], 1U);
  };
  const std::uint32_t stride = gridDim.x * sort::threads;
  // By vectors as far as they reach.
  const std::uint32_t vectors = aligned ? n / Vector::size : 0;
  block::visit_strided<bytes_at_once / sizeof(Vector)>(reinterpret_cast<const Vector*>(keys),
                                                       vectors, global_thread(), stride, Vector{},
                                                       [&](std::uint32_t i, const Vector& some) {
                                                         if (i >= vectors) return;
                                                         UNROLL
                                                         for (unsigned k = 0; k < Vector::size; ++k)
                                                           add(some.item[k]);
                                                       });
  const std::uint32_t done = vectors * Vector::size;
  block::visit_strided<bytes_at_once / sizeof(Key)>(keys + done, n - done, global_thread(), stride,
                                                    Key{0}, [&](std::uint32_t i, Key key) {
                                                      if (i < n - done) add(key);
                                                    });
  __syncthreads();
  for (int pass = 0; pass < passes; ++pass)
    if (const std::uint32_t count = mine[pass][threadIdx.x]; count > 0)
      atomicAdd(&totals.begins[pass * digit_values + threadIdx.x], count);
  __syncthreads();  // one thread tells that all have added
  if (!block::is_last(totals.finished, is_last)) return;

  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* const total = &totals.begins[pass * digit_values + threadIdx.x];
    const std::uint32_t count = load_relaxed(total);
    if (count == n) is_shared[pass] = true;
    *total = block::exclusive_sum(count, storage).before;
    __syncthreads();  // the storage is used again
  }
  if (threadIdx.x == 0) deal_turns(totals.turns, is_shared, passes);
}

// `buffers` are of a pass that is not the first; the first reads `input` instead.
template <class Key, class Value>
__global__ void RESIDENT_BLOCKS(onesweep_threads, blocks_each)
    onesweep_kernel(sort::PassBuffers<Key, Value> buffers, sort::Input<Key, Value> input,
                    std::uint32_t n, Digits digits, const std::uint32_t* begins,
                    const Turn* its_turn, DigitStates states) {
  using Tile = OnesweepTile<Key, Value>;
  LARGE_SHARED(typename Tile::Storage, storage);
  __shared__ std::uint32_t to[digit_values];
  __shared__ std::uint32_t ticket;
  __shared__ bool alike;
  if (threadIdx.x == 0) alike = false;
  wait_for_launch_before();
  let_launch_behind_begin();
  const Turn turn = *its_turn;
  if (turn.is_left_out()) return;
  if (turn.is_first()) buffers.read(input);
  // Most blocks get the tile of their own number: it is on its way while they wait for the ticket.
  Tile::prefetch_items(buffers.keys_in, blockIdx.x, n);
  if (turn.only_copies()) return Tile::copy(blockIdx.x, n, buffers);
  const Digit digit = digits[turn.digit()];
  // Tiles are numbered in the order in which blocks start: those that this one waits for have.
  const std::uint32_t number = block::take_ticket(states.ticket, ticket);

  Tile tile;
  tile.load_keys(buffers.keys_in, number, n, buffers.order_in);
  Tile::prefetch_items(buffers.values_in, number, n);
  // Counting before ranking costs a few shared-memory atomics and lets the successors go on early.
  const std::uint32_t count = tile.count(digit, storage);
  if (Tile::has_digit()) states.publish(number, block::aggregate_ready, count);
  // Of keys that have been sorted by a digit of few values, many tiles have but one of the next.
  if (count == Tile::size) alike = true;
  const std::uint32_t digit_begin = tile.rank_keys(digit, count, storage, &alike);
  tile.reorder_keys(storage);
  if (Tile::has_digit()) {
    const std::uint32_t before = sort::look_back(states, number);
    states.publish(number, block::prefix_ready, before + count);
    to[threadIdx.x] = begins[turn.digit() * digit_values + threadIdx.x] + before - digit_begin;
  }
  __syncthreads();
  tile.write(number, n, digit, to, buffers, storage);
}

template <class Key, class Value>
void sort_in_one_sweep(Stream& stream, const SortArgs& args, Scratch& scratch) {
  const std::uint32_t tiles = ceil_div(args.n, OnesweepTile<Key, Value>::size);
  const Digits digits{args.begin_bit, args.end_bit};
  const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
  const auto passes = static_cast<std::size_t>(digits.count());
  const std::size_t states_a_pass = std::size_t{tiles} * digit_values;
  const std::size_t words = passes * (Totals::words_a_pass + states_a_pass) + 1;
  std::uint32_t* zeros = scratch.take<std::uint32_t>(words, "counts_and_states");
  if (scratch.measuring()) return;
  const Totals totals(zeros, passes);
  std::uint32_t* states = totals.finished + 1;

  stream.fill(zeros, 0, words * sizeof(std::uint32_t));
  const auto* keys = static_cast<const Key*>(args.keys_in);
  const auto most_blocks =
      static_cast<std::uint32_t>(stream.device().info().multiprocessors) * counting_blocks_each;
  const std::uint32_t blocks = std::min(ceil_div(args.n, sort::threads * keys_each), most_blocks);
  launch(stream, KERNEL(histogram_kernel<Key>), Shape(blocks, sort::threads), keys,
         block::is_aligned(keys), sort::order_of<Key>(args), args.n, digits, totals);
  const auto all = sort::all_passes<Key, Value>(args, other);
  for (int pass = 0; pass < digits.count(); ++pass)
    launch_early(stream, KERNEL(onesweep_kernel<Key, Value>),
                 Shape(tiles, onesweep_threads, sizeof(typename OnesweepTile<Key, Value>::Storage)),
                 all.of(false, static_cast<unsigned>(digits.count() - pass)), all.input, args.n,
                 digits, totals.begins, totals.turns + pass,
                 DigitStates{states + static_cast<std::size_t>(pass) * states_a_pass,
                             totals.tickets + pass});
}

}  // namespace

void sort_onesweep(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    sort_in_one_sweep<decltype(key), decltype(value)>(stream, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
