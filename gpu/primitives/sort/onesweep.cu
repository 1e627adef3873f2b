// Onesweep: radix sort that reads and writes each pair once per pass.
//
// A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
// arXiv:2206.01784, 2022.
//
// One read of the keys counts the digits of all passes: sorting permutes keys but does not change
// how often a digit occurs. A pass only has to find where each tile's keys of each digit begin.
// That is a prefix sum over the tiles before it: 256 side by side, one per digit, found by
// decoupled look-back while the block holds its tile in registers.
//
// A pass by a digit that all keys share would move nothing, and is skipped. At the launch the host
// does not know which digits those are. So the blocks of the first launches exit at once, one
// launch for each such digit, and each later launch reads from memory by which digit it sorts. The
// arrays that it writes do not depend on that, and the last launch ends in the output.

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

// Two blocks fill an SM's registers.
constexpr unsigned onesweep_threads = tile_extent(512U, 128U);
constexpr unsigned blocks_each = 2;  // blocks that an SM should hold: bounds the registers
template <class Key, class Value>
constexpr unsigned onesweep_items_each = sizeof(Value) == 8 ? block::Tuning::sweep_long_values
                                         : sizeof(Key) == 8 ? block::Tuning::sweep_long
                                         : sort::has_values<Value> ? block::Tuning::sweep_pairs
                                                                   : block::Tuning::sweep_keys;
template <class Key, class Value>
using OnesweepTile = sort::Tile<Key, Value, onesweep_items_each<Key, Value>, onesweep_threads>;

constexpr unsigned keys_each = tile_extent(16, 2);  // fewest keys worth a counting thread
constexpr unsigned bytes_at_once = 64;              // that a thread has in flight
// Counting blocks per SM. Each adds its counts to those in memory, where more blocks cost more than
// they gain.
constexpr unsigned counting_blocks_each = 4;

// The task of a launch, known once the keys are counted.
struct Turn {
  std::uint32_t word;

  static constexpr std::uint32_t sorts = 1;   // by a digit
  static constexpr std::uint32_t copies = 2;  // all keys share all digits
  static constexpr std::uint32_t first = 4;   // it reads the input
  static constexpr unsigned digit_at = 8;     // from this bit on: the digit's number

  __device__ bool is_left_out() const { return word == 0; }
  __device__ bool only_copies() const { return (word & copies) != 0; }
  __device__ bool is_first() const { return (word & first) != 0; }
  __device__ int digit() const { return static_cast<int>(word >> digit_at); }
};

// Totals over all keys. One fill sets them, and the states of all tiles, to zero.
struct Totals {
  std::uint32_t* begins;    // [pass][digit]: first the number of keys with the digit
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

// Called by one thread. The last launches sort, one for each digit that keys do not share, in the
// order of the digits. If there is none, the last launch copies.
__device__ inline void deal_turns(Turn* turns, const bool* is_shared, int passes) {
  int launch = passes;
  for (int digit = passes - 1; digit >= 0; --digit)
    if (!is_shared[digit])
      turns[--launch] = {Turn::sorts | static_cast<std::uint32_t>(digit) << Turn::digit_at};
  if (launch == passes) turns[--launch] = {Turn::copies};
  turns[launch].word |= Turn::first;
}

// Counts the keys with each digit, each block in shared memory. The last block to finish turns the
// counts into the places where the digits begin in the output, and assigns the turns.
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
  // Whole vectors first.
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
  __syncthreads();  // one thread signals that all have added
  if (!block::is_last(totals.finished, is_last)) return;

  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* const total = &totals.begins[pass * digit_values + threadIdx.x];
    const std::uint32_t count = load_relaxed(total);
    if (count == n) is_shared[pass] = true;
    *total = block::exclusive_sum(count, storage).before;
    __syncthreads();  // the storage is reused
  }
  if (threadIdx.x == 0) deal_turns(totals.turns, is_shared, passes);
}

// `buffers` belong to a pass that is not the first; the first reads `input` instead.
template <class Key, class Value>
__global__ void RESIDENT_BLOCKS(onesweep_threads, blocks_each)
    onesweep_kernel(sort::PassBuffers<Key, Value> buffers, sort::Input<Key, Value> input,
                    std::uint32_t n, Digits digits, const std::uint32_t* begins,
                    const Turn* its_turn, DigitStates states) {
  using Tile = OnesweepTile<Key, Value>;
  LARGE_SHARED(typename Tile::Storage, storage);
  __shared__ std::uint32_t to[digit_values];
  __shared__ std::uint32_t ticket;
  __shared__ bool all_equal;
  if (threadIdx.x == 0) all_equal = false;
  wait_for_launch_before();
  let_launch_behind_begin();
  const Turn turn = *its_turn;
  if (turn.is_left_out()) return;
  if (turn.is_first()) buffers.read(input);
  // Most blocks get the tile of their own index: its loads are in flight while they wait for the
  // ticket.
  Tile::prefetch_items(buffers.keys_in, blockIdx.x, n);
  if (turn.only_copies()) return Tile::copy(blockIdx.x, n, buffers);
  const Digit digit = digits[turn.digit()];
  // Tiles are numbered in the order in which blocks start: the predecessors' blocks have started.
  const std::uint32_t number = block::take_ticket(states.ticket, ticket);

  Tile tile;
  tile.load_keys(buffers.keys_in, number, n, buffers.order_in);
  Tile::prefetch_items(buffers.values_in, number, n);
  // Counting before ranking costs a few shared-memory atomics, and lets successors proceed earlier.
  const std::uint32_t count = tile.count(digit, storage);
  if (Tile::has_digit()) states.publish(number, block::aggregate_ready, count);
  // After a sort by a digit of few values, many tiles have only one value of the next digit.
  if (count == Tile::size) all_equal = true;
  const std::uint32_t digit_begin = tile.rank_keys(digit, count, storage, &all_equal);
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
