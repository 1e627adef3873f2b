// Prefixes over tiles, computed ahead of the blocks that need them: one block scans for all.
//
// In decoupled look-back (gpu/block/lookback.h) every block walks back over its predecessors, and
// can do nothing else until the walk ends. With hundreds of tiles in flight these walks read the
// same few lines of memory, and those reads are served one after the other.
//
// Here the blocks are persistent. One of them, the scanner, reads only the sums of the others, the
// workers. Tiles are dealt to the workers round-robin. A worker adds up a tile and publishes its
// sum `lead` tiles before it writes that tile. Meanwhile the scanner scans the sums of all workers,
// which it reads side by side, and stores each tile's exclusive prefix in place of its sum. The
// worker then reads one word, which has usually arrived by then. While it works on one tile the
// next ones arrive (gpu/block/arrivals.h).
//
// Threads that run ahead for others come from the scans in CCCL for NVIDIA's Blackwell GPUs; the
// scanner is this project's own.
//
// Blocks wait for each other, so all must be co-resident: launch_concurrent.
#pragma once

#include <algorithm>

#include "gpu/block/lookback.h"
#include "gpu/block/scan.h"

namespace warpview::WARPVIEW_BACKEND::block {

// The tuning for a primitive and an architecture.
//
//   threads      per block
//   rows         16-byte vectors per thread in a tile
//   stages       tiles of a block in shared memory: one that is being written, `lead` whose sums
//                are published, and the rest in flight
//   lead         tiles between publishing a tile's sum and writing the tile
//   blocks_each  blocks per SM
template <unsigned threads_, unsigned rows_, unsigned stages_, unsigned lead_,
          unsigned blocks_each_>
struct AheadTuning {
  static constexpr unsigned threads = threads_;
  static constexpr unsigned rows = rows_;
  static constexpr unsigned stages = stages_;
  static constexpr unsigned lead = lead_;
  static constexpr unsigned blocks_each = blocks_each_;
  static_assert(stages >= lead + 2);

  // The most sums that one thread of the scanner reads: enough for the workers of a device with 192
  // SMs. Larger devices launch fewer blocks.
  static constexpr unsigned sums_each = ceil_div(blocks_each * 192, threads);
  static constexpr unsigned most_workers = threads * sums_each;
};

// Shared memory of work_ahead.
template <class T, unsigned threads>
struct AheadStorage {
  ScanStorage<T, threads> scan;
  T before;
};

// The tiles of a block.
struct AheadShare {
  std::uint32_t workers;
  std::uint32_t count;

  __device__ explicit AheadShare(std::uint32_t tiles)
      : workers(gridDim.x > 1 ? gridDim.x - 1 : 1),
        count(blockIdx.x < tiles ? (tiles - 1 - blockIdx.x) / workers + 1 : 0) {}

  // The last block is the scanner. A single block needs none.
  __device__ bool is_scanner() const { return blockIdx.x == workers; }
  __device__ std::uint32_t tile(unsigned k) const { return blockIdx.x + k * workers; }
};

// The scanner's work: replaces the sum of each tile by its exclusive prefix.
template <class Operator, unsigned threads, unsigned sums_each, class States>
__device__ inline void scan_sums(const States& states, std::uint32_t tiles, std::uint32_t workers,
                                 ScanStorage<typename Operator::Type, threads>& storage) {
  using T = typename Operator::Type;
  T carry = Operator::identity();
  // A round has one tile of each worker. A warp has neighbouring tiles, row by row.
  for (std::uint32_t round = 0; round < tiles; round += workers) {
    const std::uint32_t own = (warp::index() * sums_each) * warp::size() + warp::lane();
    const auto exists = [&](unsigned s) {
      const std::uint32_t worker = own + s * warp::size();
      return worker < workers && round + worker < tiles;
    };
    const auto tile = [&](unsigned s) { return round + own + s * warp::size(); };

    TileState<T> sum[sums_each];
    UNROLL
    for (unsigned s = 0; s < sums_each; ++s) {  // all loads are in flight together
      sum[s] = {aggregate_ready, Operator::identity()};
      if (exists(s)) sum[s] = states.look(tile(s));
    }
    T before[sums_each];
    T of_warp = Operator::identity();
    UNROLL
    for (unsigned s = 0; s < sums_each; ++s) {
      if (sum[s].flag == not_ready) sum[s] = wait_for(states, tile(s));
      const T upto = warp::inclusive_scan(sum[s].value, Combine<Operator>());
      before[s] = Operator::combine(of_warp, warp::before_lane<Operator>(upto, sum[s].value));
      of_warp =
          Operator::combine(of_warp, warp::shuffle(warp::all_lanes(), upto, warp::size() - 1));
    }
    const Prefix<T> warps = scan_warps<Operator>(of_warp, storage);
    const T before_warp = Operator::combine(carry, warps.before);
    UNROLL
    for (unsigned s = 0; s < sums_each; ++s)
      if (exists(s))
        states.publish(tile(s), prefix_ready, Operator::combine(before_warp, before[s]));
    carry = Operator::combine(carry, warps.all);
    __syncthreads();  // the storage is reused
  }
}

// One block's share of the work. The states were cleared. Called by the whole block, with
//
//   ask(k, tile)           requests the block's k-th tile; the block has left tile k - stages
//   sum(k, tile)           waits for it, and returns the prefix of this warp's stretch within the
//                          tile and the sum of the whole tile; one barrier or more
//   arrange(k, tile)       may start on the tile before its exclusive prefix is known
//   write(k, tile, before, sum)   finishes the tile; `sum` is what `sum` returned
template <class Operator, class Tuning, class States, class Ask, class Sum, class Arrange,
          class Write>
__device__ inline void work_ahead(const States& states, std::uint32_t tiles,
                                  AheadStorage<typename Operator::Type, Tuning::threads>& storage,
                                  Ask ask, Sum sum, Arrange arrange, Write write) {
  using T = typename Operator::Type;
  constexpr unsigned lead = Tuning::lead;
  const AheadShare share(tiles);
  if (share.is_scanner()) {
    scan_sums<Operator, Tuning::threads, Tuning::sums_each>(states, tiles, share.workers,
                                                            storage.scan);
    return;
  }
  const auto add_up = [&](unsigned k) {
    const Prefix<T> prefix = sum(k, share.tile(k));
    if (threadIdx.x == 0 && gridDim.x > 1)
      states.publish(share.tile(k), aggregate_ready, prefix.all);
    return prefix;
  };

  for (unsigned k = 0; k < Tuning::stages && k < share.count; ++k) ask(k, share.tile(k));
  Prefix<T> sums[lead + 1];  // sums of this tile and of those ahead of it
  UNROLL
  for (unsigned k = 0; k < lead; ++k) {
    if (k < share.count) sums[k] = add_up(k);
    __syncthreads();  // the storage of `sum` is reused
  }

  T carry = Operator::identity();  // for a single block
  for (unsigned k = 0; k < share.count; ++k) {
    const std::uint32_t tile = share.tile(k);
    // The load is issued early and its result is used late.
    TileState<T> before{prefix_ready, carry};
    if (threadIdx.x == 0 && gridDim.x > 1) before = states.look(tile);

    if (k + lead < share.count)
      sums[lead] = add_up(k + lead);
    else
      __syncthreads();
    // All threads have passed a barrier since they wrote the previous tile.
    if (k > 0 && k - 1 + Tuning::stages < share.count)
      ask(k - 1 + Tuning::stages, share.tile(k - 1 + Tuning::stages));

    arrange(k, tile);
    if (threadIdx.x == 0) {
      for (Spin spin; before.flag != prefix_ready; before = states.look(tile)) spin.back_off();
      storage.before = before.value;
    }
    __syncthreads();
    write(k, tile, storage.before, sums[0]);

    carry = Operator::combine(carry, sums[0].all);
    UNROLL
    for (unsigned j = 0; j < lead; ++j) sums[j] = sums[j + 1];
  }
}

// The most blocks of the kernel to launch: as many as can be co-resident. 0 where a block cannot
// have this much shared memory: the variant then takes another variant's path.
template <class Tuning, class... Parameters>
std::uint32_t blocks_ahead(Stream& stream, Kernel<Parameters...> kernel,
                           std::size_t storage_bytes) {
  const auto multiprocessors = static_cast<std::uint32_t>(stream.device().info().multiprocessors);
  return std::min({concurrent_blocks(stream, kernel.function, Tuning::threads, storage_bytes),
                   std::max(multiprocessors, 1U) * Tuning::blocks_each, Tuning::most_workers + 1});
}

// The host function: launches the kernel with that many blocks, fewer for few tiles, and with
// cleared states.
template <class Tuning, class States, class... Parameters>
void launch_ahead(Stream& stream, const States& states, std::uint32_t tiles, std::uint32_t resident,
                  Kernel<Parameters...> kernel, std::size_t storage_bytes,
                  std::type_identity_t<Parameters>... arguments) {
  states.clear(stream, tiles);
  // With one worker a scanner would only be in the way.
  const std::uint32_t blocks = tiles == 1 || resident < 3 ? 1 : std::min(tiles + 1, resident);
  launch_concurrent(stream, kernel, Shape(blocks, Tuning::threads, storage_bytes), arguments...);
}

}  // namespace warpview::WARPVIEW_BACKEND::block
