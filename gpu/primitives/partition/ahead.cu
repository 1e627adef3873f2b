// Partition in one pass: workers count tiles ahead of writing them, and one scanner block scans the
// counts.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016, for the one pass; the scanner is our own
// (gpu/block/ahead.h).
//
// This is select (gpu/primitives/select/ahead.cu) with two sides: of the i items before an item, i
// minus the number that pass do not pass. A warp partitions its stretch of the tile in place, and
// writes each part to its side of the output.

#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/select/ahead_tile.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using PartitionTuning = block::Tuning::Partition;
using PartitionTile = select::AheadTile<PartitionTuning>;

__global__ void RESIDENT_BLOCKS(PartitionTuning::threads, PartitionTuning::blocks_each)
    ahead_partition_kernel(select::AheadPassing args, block::PackedStates<std::uint32_t> states) {
  LARGE_SHARED(PartitionTile::Storage, storage);
  PartitionTile::Arrivals arrivals(storage.tiles, args.in, args.n, args.aligned, 0U);
  arrivals.begin();
  __syncthreads();
  std::uint32_t passing = 0;  // in this warp's stretch
  block::work_ahead<SumU32, PartitionTuning>(
      states, args.tiles, storage.ahead,
      [&](unsigned k, std::uint32_t tile) { arrivals.ask(k, tile); },
      [&](unsigned k, std::uint32_t tile) {
        return PartitionTile(arrivals.wait(k, tile), tile, args).count(storage.ahead.scan);
      },
      [&](unsigned k, std::uint32_t tile) {
        passing = PartitionTile(arrivals.stage(k), tile, args).part<true>();
      },
      [&](unsigned k, std::uint32_t tile, std::uint32_t before,
          const block::Prefix<std::uint32_t>& sum) {
        const PartitionTile items(arrivals.stage(k), tile, args);
        const std::uint32_t passing_before = before + sum.before;
        std::uint32_t* const out = args.out + passing_before;
        block::visit_by_lines(out, passing, [&](std::uint32_t i) { out[i] = items.stretch()[i]; });
        // The items that fail fill the output backwards from its end.
        const std::uint32_t size = items.stretch_size();
        if (size > passing) {
          const std::uint32_t others_before =
              tile * PartitionTile::size + PartitionTile::stretch_begin() - passing_before;
          const std::uint32_t others = size - passing;
          std::uint32_t* const lowest = args.out + (args.n - others_before - others);
          block::visit_by_lines(
              lowest, others, [&](std::uint32_t i) { lowest[i] = items.stretch()[size - 1 - i]; });
        }
        if (tile == args.tiles - 1 && threadIdx.x == 0) *args.count = before + sum.all;
      });
}

}  // namespace

void partition_ahead(Stream& stream, const PartitionArgs& args, Scratch& scratch) {
  select::ahead_in_one_pass<PartitionTuning>(stream, args, scratch, KERNEL(ahead_partition_kernel),
                                             partition_one_pass);
}

}  // namespace warpview::WARPVIEW_BACKEND
