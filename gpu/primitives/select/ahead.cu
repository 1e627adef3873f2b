// Select in one pass: workers count tiles ahead of writing them, and one scanner block scans the
// counts.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016, for the one pass; the scanner is our own
// (gpu/block/ahead.h).
//
// An item's place is the number of items before it that pass, as in one_pass.cu. Compacting a
// warp's stretch of the tile needs no other warp's count. The warp compacts it in place while the
// block waits, if it has to, for the tile's exclusive prefix.

#include "gpu/primitives/select/ahead_tile.h"
#include "gpu/primitives/select/select.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using SelectTuning = block::Tuning::Select;
using SelectTile = select::AheadTile<SelectTuning>;

__global__ void RESIDENT_BLOCKS(SelectTuning::threads, SelectTuning::blocks_each)
    ahead_select_kernel(select::AheadPassing args, block::PackedStates<std::uint32_t> states) {
  LARGE_SHARED(SelectTile::Storage, storage);
  SelectTile::Arrivals arrivals(storage.tiles, args.in, args.n, args.aligned, 0U);
  arrivals.begin();
  __syncthreads();
  std::uint32_t passing = 0;  // in this warp's stretch
  block::work_ahead<SumU32, SelectTuning>(
      states, args.tiles, storage.ahead,
      [&](unsigned k, std::uint32_t tile) { arrivals.ask(k, tile); },
      [&](unsigned k, std::uint32_t tile) {
        return SelectTile(arrivals.wait(k, tile), tile, args).count(storage.ahead.scan);
      },
      [&](unsigned k, std::uint32_t tile) {
        passing = SelectTile(arrivals.stage(k), tile, args).part<false>();
      },
      [&](unsigned k, std::uint32_t tile, std::uint32_t before,
          const block::Prefix<std::uint32_t>& sum) {
        const SelectTile items(arrivals.stage(k), tile, args);
        std::uint32_t* const out = args.out + (before + sum.before);
        block::visit_by_lines(out, passing, [&](std::uint32_t i) { out[i] = items.stretch()[i]; });
        if (tile == args.tiles - 1 && threadIdx.x == 0) *args.count = before + sum.all;
      });
}

}  // namespace

void select_ahead(Stream& stream, const SelectArgs& args, Scratch& scratch) {
  select::ahead_in_one_pass<SelectTuning>(stream, args, scratch, KERNEL(ahead_select_kernel),
                                          select_one_pass);
}

}  // namespace warpview::WARPVIEW_BACKEND
