// De-duplication by a hash table that neighbouring lanes probe together.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//   S. Ashkiani, M. Farach-Colton, J. Owens, "A Dynamic Hash Table for the GPU", IPDPS 2018.
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// A lane that probes alone fetches a whole sector of memory for the one slot it looks at. Here a
// tile of four lanes serves one corner at a time: each lane reads one of four neighbouring slots,
// together one sector, and two ballots tell which of them holds the corner's kind and which is
// empty. As every read decides about four slots, the table can be filled further than one that is
// probed slot by slot: to three quarters.
//
// A slot holds the hash and the number of a corner, and stands for all corners equal to it. The
// hash spares lanes the look at corners that cannot be equal.
#include <cstddef>

#include "gpu/dedup/corner.h"
#include "gpu/dedup/firsts.h"
#include "gpu/dedup/number.h"
#include "gpu/hash/tile.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using Slot = std::uint64_t;            // hash << 32 | corner
constexpr Slot empty_slot = ~Slot{0};  // no corner has the number 2^32 - 1

using hash::Tile;
using hash::window_size;

// n corners take at most three quarters of the slots, and one slot at least stays empty.
std::uint32_t windows_for(std::uint32_t n) { return n / 3 + 1; }

// Finds or claims the slot of a corner's kind; called by a whole tile, with the same corner, and
// every lane gets the slot.
//
// All probe in the same order: the windows from the hash's on, in a window the slots from the
// lowest. A slot, once taken, keeps to its kind, so what a tile has seen taken by another kind it
// need not look at again. What it has seen empty may have been taken since, by this very kind too:
// that is why the lowest empty slot is claimed and no other, and why the tile looks at what is
// there when the claim fails. So no kind gets two slots. A slot says all there is to know, as
// corners do not change, so relaxed loads do and no fence is needed; the loop ends because some
// slot stays empty, and waits for nobody.
__device__ inline std::uint32_t find_or_claim(const Tile& tile, const Vertex* __restrict__ corners,
                                              std::uint32_t corner, std::uint32_t hash, Slot* table,
                                              std::uint32_t windows) {
  const Slot mine = Slot{hash} << 32U | corner;
  const auto same_kind = [&](Slot held) {
    return held != empty_slot && held >> 32U == hash &&
           dedup::equal(dedup::words_of(&corners[corner]),
                        dedup::words_of(&corners[static_cast<std::uint32_t>(held)]));
  };
  // The hash as a fraction of 2^32, scaled to the number of windows.
  auto window = static_cast<std::uint32_t>(std::uint64_t{hash} * windows >> 32U);
  for (;; window = window + 1 < windows ? window + 1 : 0) {
    Slot* slot = &table[std::size_t{window} * window_size + tile.lane()];
    Slot held = load_relaxed(slot);
    for (;;) {
      if (const warp::LaneMask matches = warp::ballot(tile.lanes, same_kind(held)); matches != 0) {
        const unsigned winner = warp::first(matches);
        // The slots of a kind differ in the number of the corner alone: the smallest stays.
        if (warp::lane() == winner && mine < held) atomicMin(slot, mine);
        return window * window_size + winner - tile.begin;
      }
      const warp::LaneMask empties = warp::ballot(tile.lanes, held == empty_slot);
      if (empties == 0) break;
      const unsigned winner = warp::first(empties);
      bool claimed = false;
      if (warp::lane() == winner) {
        held = atomicCAS(slot, empty_slot, mine);
        claimed = held == empty_slot;
      }
      if (warp::any(tile.lanes, claimed)) return window * window_size + winner - tile.begin;
    }
  }
}

// A lane a corner, to read and hash it; then a tile serves the corners of its lanes one by one, and
// each lane keeps the slot of its own. Lanes without a corner stay, to probe for the others.
__global__ void insert_together_kernel(const Vertex* __restrict__ corners,
                                       const std::uint32_t* __restrict__ count, Slot* table,
                                       std::uint32_t windows, std::uint32_t* __restrict__ slot_of) {
  const Tile tile = Tile::of_this_lane();
  const std::uint32_t own = global_thread();
  const std::uint32_t first = own - (warp::lane() - tile.begin);
  const std::uint32_t own_hash = own < *count ? dedup::hash(dedup::words_of(&corners[own])) : 0;

  for (unsigned i = 0; i < window_size && first + i < *count; ++i) {
    const std::uint32_t hash = warp::shuffle(tile.lanes, own_hash, tile.begin + i);
    const std::uint32_t slot = find_or_claim(tile, corners, first + i, hash, table, windows);
    if (own == first + i) slot_of[own] = slot;
  }
}

}  // namespace

void dedup_cooperative(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  const std::uint32_t windows = windows_for(args.n);
  const std::size_t slots = std::size_t{windows} * window_size;
  auto* table = workspace.take<Slot>(slots);
  auto* first = workspace.take<std::uint32_t>(args.n);
  auto* rank = workspace.take<std::uint32_t>(args.n);

  if (!workspace.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(Slot));
    launch(stream, KERNEL(insert_together_kernel), one_thread_each(args.n), args.corners,
           args.count, table, windows, first);
    launch(stream, KERNEL(dedup::find_firsts_kernel<Slot>), one_thread_each(args.n), args.count,
           args.n, table, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
