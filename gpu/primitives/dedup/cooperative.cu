// De-duplication by a hash table that neighbouring lanes probe together.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//   S. Ashkiani, M. Farach-Colton, J. Owens, "A Dynamic Hash Table for the GPU", IPDPS 2018.
//
// A lane that probes alone fetches a whole sector of memory for the one slot that it reads. Here a
// tile of four lanes serves one corner at a time: each lane reads one of four neighbouring slots,
// together one sector, and two ballots show which of them holds an equal corner and which is empty.
// As every probe covers four slots, the load factor can be higher than with single-slot probes:
// three quarters.
//
// A slot holds the hash and the index of a corner (hashed_slot.h). The hash saves lanes from
// reading corners that cannot be equal. The probing is that of the hash map, in
// gpu/primitives/hash_map/together.h.
#include <cstddef>

#include "gpu/primitives/dedup/firsts.h"
#include "gpu/primitives/dedup/hashed_slot.h"
#include "gpu/primitives/dedup/number.h"
#include "gpu/primitives/hash_map/together.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using dedup::HashedSlot;
using hash::Tile;
using hash::window_size;

// A corner in the form of an entry for the probing. A slot contains all that is needed, because
// corners do not change: relaxed loads suffice and no fence is needed.
struct CornerForTile {
  using Held = HashedSlot;

  const Vertex* corners;
  std::uint32_t corner;
  std::uint32_t hash;
  HashedSlot* table;
  std::uint32_t slots;

  __device__ HashedSlot mine() const { return dedup::hashed_slot(hash, corner); }
  __device__ std::uint32_t home(std::uint32_t places) const { return hash::home(hash, places); }
  __device__ Held look(std::uint32_t slot) const { return load_relaxed(&table[slot]); }
  __device__ bool is_empty(Held held) const { return held == dedup::empty_hashed; }
  __device__ bool is_same(Held held) const {
    return held != dedup::empty_hashed && dedup::hash_of(held) == hash &&
           dedup::equal(dedup::words_of(&corners[corner]),
                        dedup::words_of(&corners[dedup::corner_of(held)]));
  }
  __device__ Held claim(std::uint32_t slot) const {
    return atomicCAS(&table[slot], dedup::empty_hashed, mine());
  }
};

// One lane per corner, which reads and hashes it. Then a tile serves the corners of its lanes one
// by one, and each lane keeps the slot of its own corner. Lanes without a corner stay, to probe for
// the others.
__global__ void insert_together_kernel(const Vertex* __restrict__ corners,
                                       const std::uint32_t* __restrict__ count, HashedSlot* table,
                                       std::uint32_t slots, std::uint32_t* __restrict__ slot_of) {
  const Tile tile = Tile::of_this_lane();
  const std::uint32_t own = global_thread();
  const std::uint32_t first = own - (warp::lane() - tile.begin);
  const std::uint32_t own_hash = own < *count ? dedup::hash(dedup::words_of(&corners[own])) : 0;

  for (unsigned i = 0; i < window_size && first + i < *count; ++i) {
    const std::uint32_t hash = warp::shuffle(tile.lanes, own_hash, tile.begin + i);
    const CornerForTile entry{corners, first + i, hash, table, slots};
    const hash::Found<HashedSlot> found = hash::find_or_claim_together(tile, entry);
    // The slots of equal corners differ only in the corner's index: the smallest stays.
    const bool is_mine = found.slot % window_size == tile.lane();
    if (is_mine && !found.claimed && entry.mine() < found.held)
      atomicMin(&table[found.slot], entry.mine());
    if (own == first + i) slot_of[own] = found.slot;
  }
}

}  // namespace

void dedup_cooperative(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  // The corners occupy at most three quarters of the slots, and at least one slot stays empty.
  const std::uint32_t slots = (args.n / 3 + 1) * window_size;
  auto* table = scratch.take<HashedSlot>(slots, "table");
  auto* first = scratch.take<std::uint32_t>(args.n, "first");
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(HashedSlot));
    launch(stream, KERNEL(insert_together_kernel), one_thread_each(args.n), args.corners,
           args.count, table, slots, first);
    launch(stream, KERNEL(dedup::find_firsts_kernel<HashedSlot>), one_thread_each(args.n),
           args.count, args.n, table, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
