// Radix sort in one launch by persistent blocks: for as many keys as a device holds at once.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009: counting, scanning and reordering. K. Gupta, J. Stuart, J. Owens, "A Study of
// Persistent Threads Style GPU Programming for GPGPU Workloads", InPar 2012. S. Xiao, W. Feng,
// "Inter-Block GPU Communication via Fast Barrier Synchronization", IPDPS 2010.
//
// Several kernels that sort few keys are bound by the gaps between them: a launch waits for the
// last block of the one before. Here each tile has a block and each block a tile, all co-resident,
// and a pass is
//
//   1. count     the tile's digits, and publish the counts;
//   2. rank      the tile's keys, meanwhile;
//   3. scan      each block reads the counts of all tiles and computes how many keys have a lower
//                digit, and how many of the same digit lie in tiles before;
//   4. reorder   as in the other sorts, followed by a grid barrier: the next pass reads what all
//                blocks wrote.
//
// Every block does the scan of all, a total cost quadratic in the number of tiles. Onesweep sorts
// inputs for which there is no room.

#include <algorithm>

#include "gpu/block/grid_barrier.h"
#include "gpu/block/tuning.h"
#include "gpu/primitives/sort/passes.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using sort::AllPasses;
using sort::Digit;
using sort::digit_values;
using sort::Digits;
using sort::PassBuffers;

constexpr unsigned resident_threads = tile_extent(512U, 128U);

// What the tiles publish: how many of their keys have each digit. Two digits share a word, so each
// count has 14 bits, with the number of the pass above them, from 1 and modulo 4: a reader can tell
// whether a word belongs to this pass or still to the one before.
struct TileCounts {
  static constexpr unsigned pairs = digit_values / 2;
  static constexpr unsigned count_bits = 14;
  static constexpr std::uint32_t most = (1U << count_bits) - 1;

  std::uint32_t* words;  // [tile][pair], starting at zero

  __device__ static std::uint32_t tag(int pass) {
    return static_cast<std::uint32_t>(pass + 1) % 4 << count_bits;
  }
  // Called by whole warps, thread d for digit d.
  __device__ void publish(std::uint32_t tile, int pass, std::uint32_t count) const {
    const std::uint32_t mine = count | tag(pass);
    const std::uint32_t next =
        warp::shuffle(warp::all_lanes(), mine, (warp::lane() + 1) % warp::size());
    if (warp::lane() % 2 == 0)
      store_relaxed(&words[tile * pairs + threadIdx.x / 2], mine | next << 16U);
  }
  __device__ std::uint32_t look(std::uint32_t tile, unsigned pair) const {
    return load_relaxed(&words[tile * pairs + pair]);
  }
  __device__ static bool is_of(std::uint32_t word, int pass) {
    const std::uint32_t tags = tag(pass) | tag(pass) << 16U;
    return (word & ~(most | most << 16U)) == tags;
  }
};

// The number of keys of a digit in all tiles, and in those before this one.
struct DigitTotal {
  std::uint32_t all;
  std::uint32_t before;
};

// The threads of a block in groups: each has one thread per two digits, and takes tiles
// round-robin.
constexpr unsigned scan_groups = resident_threads / TileCounts::pairs;
constexpr unsigned looks_at_once = 8;

// Sums what all tiles have published in a pass; thread d gets digit d. One barrier, after which
// `groups` may not be reused at once.
__device__ inline DigitTotal add_up_tiles(const TileCounts& counts, std::uint32_t tiles, int pass,
                                          DigitTotal (&groups)[scan_groups][digit_values]) {
  const unsigned pair = threadIdx.x % TileCounts::pairs;
  const unsigned group = threadIdx.x / TileCounts::pairs;
  DigitTotal low{0, 0};
  DigitTotal high{0, 0};
  for (std::uint32_t first = group; first < tiles; first += scan_groups * looks_at_once) {
    std::uint32_t word[looks_at_once];
    UNROLL
    for (unsigned k = 0; k < looks_at_once; ++k) {  // all looks are in flight together
      const std::uint32_t tile = first + k * scan_groups;
      word[k] = tile < tiles ? counts.look(tile, pair) : 0;
    }
    UNROLL
    for (unsigned k = 0; k < looks_at_once; ++k) {
      const std::uint32_t tile = first + k * scan_groups;
      if (tile >= tiles) continue;
      for (Spin spin; !TileCounts::is_of(word[k], pass); word[k] = counts.look(tile, pair))
        spin.back_off();
      const std::uint32_t of_low = word[k] & TileCounts::most;
      const std::uint32_t of_high = word[k] >> 16U & TileCounts::most;
      low.all += of_low;
      high.all += of_high;
      if (tile < blockIdx.x) {
        low.before += of_low;
        high.before += of_high;
      }
    }
  }
  groups[group][2 * pair] = low;
  groups[group][2 * pair + 1] = high;
  __syncthreads();
  DigitTotal total{0, 0};
  if (threadIdx.x < digit_values) {
    UNROLL
    for (unsigned g = 0; g < scan_groups; ++g) {
      total.all += groups[g][threadIdx.x].all;
      total.before += groups[g][threadIdx.x].before;
    }
  }
  return total;
}

template <class Key, class Value, unsigned items_each>
struct ResidentSort {
  using Tile = sort::Tile<Key, Value, items_each, resident_threads>;
  static_assert(Tile::size <= TileCounts::most);
  struct Storage {
    typename Tile::Storage tile;
    DigitTotal groups[scan_groups][digit_values];
    std::uint32_t to[digit_values];
  };
};

template <class Key, class Value, unsigned items_each>
__global__ void RESIDENT_BLOCKS(resident_threads, 1)
    resident_sort_kernel(AllPasses<Key, Value> passes, std::uint32_t n, Digits digits,
                         TileCounts counts, std::uint32_t* arrived) {
  using Sort = ResidentSort<Key, Value, items_each>;
  using Tile = typename Sort::Tile;
  LARGE_SHARED(typename Sort::Storage, storage);
  const std::uint32_t me = blockIdx.x;
  for (int pass = 0; pass < digits.count(); ++pass) {
    const Digit digit = digits[pass];
    const PassBuffers<Key, Value> buffers =
        passes.of(pass == 0, static_cast<unsigned>(digits.count() - pass));
    Tile tile;
    tile.load_keys(buffers.keys_in, me, n, buffers.order_in);
    Tile::prefetch_items(buffers.values_in, me, n);
    const std::uint32_t count = tile.count(digit, storage.tile);
    if (threadIdx.x < digit_values) {
      // The padding of the last tile was counted as its largest digit.
      const std::uint32_t end = (me + 1) * Tile::size;
      const bool padded = end > n && threadIdx.x == (1U << digit.bits) - 1;
      counts.publish(me, pass, padded ? count - (end - n) : count);
    }
    const std::uint32_t digit_begin = tile.rank_keys(digit, count, storage.tile);
    tile.reorder_keys(storage.tile);
    const DigitTotal total = add_up_tiles(counts, gridDim.x, pass, storage.groups);
    const std::uint32_t begin = block::exclusive_sum(total.all, storage.tile.scan).before;
    if (threadIdx.x < digit_values) storage.to[threadIdx.x] = begin + total.before - digit_begin;
    __syncthreads();
    tile.write(me, n, digit, storage.to, buffers, storage.tile);
    if (pass + 1 < digits.count())
      block::wait_for_all_blocks(arrived, static_cast<std::uint32_t>(pass) + 1);
  }
}

// Whether all tiles of this size are co-resident, with at most `each` of them on an SM.
template <class Key, class Value, unsigned items_each>
bool fits(Stream& stream, std::uint32_t n, std::uint32_t each) {
  using Sort = ResidentSort<Key, Value, items_each>;
  const auto multiprocessors =
      static_cast<std::uint32_t>(std::max(stream.device().info().multiprocessors, 1));
  const std::uint32_t tiles = ceil_div(n, Sort::Tile::size);
  return tiles <= each * multiprocessors &&
         tiles <= concurrent_blocks(stream, &resident_sort_kernel<Key, Value, items_each>,
                                    resident_threads, sizeof(typename Sort::Storage));
}

template <class Key, class Value, unsigned items_each>
void sort_in_one_launch(Stream& stream, const SortArgs& args, Scratch& scratch) {
  using Sort = ResidentSort<Key, Value, items_each>;
  const std::uint32_t tiles = ceil_div(args.n, Sort::Tile::size);
  const auto other = sort::take_pairs<Key, Value>(args.n, scratch);
  const std::size_t words = std::size_t{tiles} * TileCounts::pairs;
  auto* const zeros = scratch.take<std::uint32_t>(words + 1, "counts_and_ticket");
  if (scratch.measuring()) return;
  stream.fill(zeros, 0, (words + 1) * sizeof(std::uint32_t));
  launch_concurrent(stream, KERNEL(resident_sort_kernel<Key, Value, items_each>),
                    Shape(tiles, resident_threads, sizeof(typename Sort::Storage)),
                    sort::all_passes<Key, Value>(args, other), args.n,
                    Digits{args.begin_bit, args.end_bit}, TileCounts{zeros}, zeros + words);
}

}  // namespace

void sort_resident(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    using Key = decltype(key);
    using Value = decltype(value);
    if (fits<Key, Value, block::Tuning::stay_few>(stream, args.n, 1))
      sort_in_one_launch<Key, Value, block::Tuning::stay_few>(stream, args, scratch);
    else if (fits<Key, Value, block::Tuning::stay_many>(stream, args.n, 2))
      sort_in_one_launch<Key, Value, block::Tuning::stay_many>(stream, args, scratch);
    else
      sort_onesweep(stream, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
