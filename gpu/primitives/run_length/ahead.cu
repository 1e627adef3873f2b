// Run-length encoding in one pass: workers find heads ahead of writing, and one scanner block scans
// what they find.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016, for the one pass; the scanner is our own
// (gpu/block/ahead.h).
//
// Nothing is summed: the length of a run is the distance from its head to the next. A tile needs
// only two facts about its predecessors: how many heads they have, and where the last one is. Both
// fit into one word with the flag: two numbers of 31 bits.

#include "gpu/block/arrivals.h"
#include "gpu/block/lines.h"
#include "gpu/block/tuning.h"
#include "gpu/primitives/reduce_by_key/heads.h"
#include "gpu/primitives/run_length/run_length.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// For a stretch of keys: the number of heads, and the place after the last one, 0 if there is none.
struct HeadsSoFar {
  std::uint32_t count;
  std::uint32_t after_last;
};
struct JoinHeads {
  using Type = HeadsSoFar;
  static constexpr bool commutative = true;
  HOST_DEVICE static constexpr Type identity() { return {0, 0}; }
  HOST_DEVICE static constexpr Type combine(const Type& a, const Type& b) {
    return {a.count + b.count, a.after_last > b.after_last ? a.after_last : b.after_last};
  }
};

// HeadsSoFar in one word: two bits for the flag, 31 for the count, 31 for the place.
struct PackedHeads {
  using Value = HeadsSoFar;
  static constexpr std::uint64_t most = (std::uint64_t{1} << 31U) - 1;

  __device__ static std::uint64_t pack(std::uint32_t flag, const Value& heads) {
    return static_cast<std::uint64_t>(flag) << 62U |
           static_cast<std::uint64_t>(heads.count) << 31U | heads.after_last;
  }
  __device__ static block::TileState<Value> unpack(std::uint64_t word) {
    return {
        static_cast<std::uint32_t>(word >> 62U),
        {static_cast<std::uint32_t>(word >> 31U & most), static_cast<std::uint32_t>(word & most)}};
  }
};
using HeadStates = block::OneWordStates<PackedHeads>;

using LengthTuning = block::Tuning::RunLength;
using LengthHeads = runs::Heads<LengthTuning::threads, LengthTuning::rows>;
using LengthArrivals = block::Arrivals<std::uint32_t, LengthTuning::threads,
                                       LengthHeads::Rows::tile_size, LengthTuning::stages, true>;

struct LengthStorage {
  LengthArrivals::Storage tiles;
  std::uint16_t places[LengthHeads::Rows::tile_size];  // of the heads, within their stretch
  block::AheadStorage<HeadsSoFar, LengthTuning::threads> ahead;
};

// The heads of a tile: those before this warp's stretch, and all. One barrier.
__device__ inline block::Prefix<HeadsSoFar> find_heads(const LengthHeads& heads, std::uint32_t tile,
                                                       LengthStorage& storage) {
  HeadsSoFar mine = JoinHeads::identity();
  const std::uint32_t begin = tile * LengthHeads::Rows::tile_size + LengthHeads::stretch_begin();
  UNROLL
  for (unsigned r = 0; r < LengthTuning::rows; ++r) {
    const std::uint32_t bits = heads.row(r).bits;
    mine.count += warp::count(bits);
    if (bits != 0)
      mine.after_last = begin + LengthHeads::place(r) + (32 - __clz(static_cast<int>(bits)));
  }
  return block::scan_warps<JoinHeads>(HeadsSoFar{warp::reduce(mine.count, Combine<SumU32>()),
                                                 warp::reduce(mine.after_last, Combine<MaxU32>())},
                                      storage.ahead.scan);
}

// Compacts keys and places of the heads in this warp's stretch; returns how many there are.
__device__ inline std::uint32_t gather_heads(const LengthHeads& heads, LengthStorage& storage) {
  std::uint16_t* const places = storage.places + LengthHeads::stretch_begin();
  std::uint32_t number = 0;
  UNROLL
  for (unsigned r = 0; r < LengthTuning::rows; ++r) {
    const LengthHeads::Row row = heads.row(r);
    const std::uint32_t own = warp::count(row.bits);
    const std::uint32_t upto = warp::inclusive_sum(own);
    std::uint32_t next = number + upto - own;
    number += warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
    warp::sync(warp::all_lanes());  // all have read their keys
    UNROLL
    for (unsigned j = 0; j < LengthHeads::vector; ++j) {
      if ((row.bits >> j & 1U) == 0) continue;
      heads.keep(row, r, j, next);
      places[next++] = static_cast<std::uint16_t>(LengthHeads::place(r) + j);
    }
    warp::sync(warp::all_lanes());  // the next row reads the key before it
  }
  return number;
}

__global__ void RESIDENT_BLOCKS(LengthTuning::threads, LengthTuning::blocks_each)
    ahead_measure_kernel(RunLengthArgs args, bool aligned, HeadStates states, std::uint32_t tiles) {
  LARGE_SHARED(LengthStorage, storage);
  LengthArrivals arrivals(storage.tiles, args.keys, args.n, aligned, 0U);
  arrivals.begin();
  __syncthreads();
  std::uint32_t found = 0;  // heads in this warp's stretch
  block::work_ahead<JoinHeads, LengthTuning>(
      states, tiles, storage.ahead, [&](unsigned k, std::uint32_t tile) { arrivals.ask(k, tile); },
      [&](unsigned k, std::uint32_t tile) {
        return find_heads(LengthHeads(arrivals.wait(k, tile), tile, args.n), tile, storage);
      },
      [&](unsigned k, std::uint32_t tile) {
        found = gather_heads(LengthHeads(arrivals.stage(k), tile, args.n), storage);
      },
      [&](unsigned k, std::uint32_t tile, const HeadsSoFar& before_tile,
          const block::Prefix<HeadsSoFar>& sum) {
        const HeadsSoFar before = JoinHeads::combine(before_tile, sum.before);
        const std::uint32_t stretch_begin = LengthHeads::stretch_begin();
        const std::uint32_t* const keys = arrivals.stage(k) + stretch_begin;
        const std::uint16_t* const places = storage.places + stretch_begin;
        const std::uint32_t begin = tile * LengthHeads::Rows::tile_size + stretch_begin;
        block::visit_by_lines(args.keys_out + before.count, found, [&](std::uint32_t i) {
          const std::uint32_t run = before.count + i;
          args.keys_out[run] = keys[i];
          // A head ends the run before it.
          const std::uint32_t last = i == 0 ? before.after_last - 1 : begin + places[i - 1];
          if (run > 0) args.lengths[run - 1] = begin + places[i] - last;
        });
        if (tile == tiles - 1 && threadIdx.x == 0) {
          const HeadsSoFar all = JoinHeads::combine(before_tile, sum.all);
          *args.count = all.count;
          args.lengths[all.count - 1] = args.n - (all.after_last - 1);
        }
      });
}

}  // namespace

void run_length_ahead(Stream& stream, const RunLengthArgs& args, Scratch& scratch) {
  const auto kernel = KERNEL(ahead_measure_kernel);
  const std::uint32_t resident =
      block::blocks_ahead<LengthTuning>(stream, kernel, sizeof(LengthStorage));
  if (resident == 0) return run_length_one_pass(stream, args, scratch);
  const std::uint32_t tiles = LengthHeads::Rows::tiles(args.n);
  const HeadStates states = HeadStates::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile.
  if (args.n == 0) return stream.fill(args.count, 0, sizeof(*args.count));
  block::launch_ahead<LengthTuning>(stream, states, tiles, resident, kernel, sizeof(LengthStorage),
                                    args, block::is_aligned(args.keys), states, tiles);
}

}  // namespace warpview::WARPVIEW_BACKEND
