// De-duplication by an ordered hash table that grows both ways, under range locks.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bidirectional linear probing.
//
// The table is that of gpu/primitives/hash_map/bidirectional.h. A slot holds the hash and the index
// of a corner (hashed_slot.h). Distinct corners are sorted by hash and, where hashes are equal, by
// content. Since the order ends every search early, a load factor of four fifths is acceptable.
//
// Slots move during inserts, so a corner finds its slot in a second launch, when all are in place.
// That launch also lowers the index in the slot to the smallest of equal corners.
#include "gpu/primitives/dedup/firsts.h"
#include "gpu/primitives/dedup/hashed_slot.h"
#include "gpu/primitives/dedup/number.h"
#include "gpu/primitives/hash_map/bidirectional.h"
#include "gpu/primitives/hash_map/mix.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using Slot = dedup::HashedSlot;
using dedup::empty_hashed;

// A corner, in the form that insert_ordered expects.
struct CornerInOrder {
  const Vertex* corners;
  Slot* table;
  std::uint32_t slots;
  std::uint32_t* locks;
  std::uint32_t corner;
  std::uint32_t hash;
  dedup::CornerWords words;

  __device__ std::uint32_t home() const { return hash::home(hash, slots); }
  __device__ hash::Holds look(std::uint32_t slot) const {
    const Slot held = load_relaxed(&table[slot]);
    if (held == empty_hashed) return hash::Holds::nothing;
    const std::uint32_t held_hash = dedup::hash_of(held);
    if (held_hash != hash) return held_hash < hash ? hash::Holds::smaller : hash::Holds::larger;
    const int order = dedup::compare(dedup::words_of(&corners[dedup::corner_of(held)]), words);
    if (order == 0) return hash::Holds::same;
    return order < 0 ? hash::Holds::smaller : hash::Holds::larger;
  }
  __device__ bool is_empty(std::uint32_t slot) const {
    return load_relaxed(&table[slot]) == empty_hashed;
  }
  __device__ void move(std::uint32_t to, std::uint32_t from) const {
    store_relaxed(&table[to], load_relaxed(&table[from]));
  }
  __device__ Slot mine() const { return dedup::hashed_slot(hash, corner); }
  __device__ void put(std::uint32_t slot) const { store_relaxed(&table[slot], mine()); }
};

__device__ inline CornerInOrder in_order(const Vertex* corners, std::uint32_t corner, Slot* table,
                                         std::uint32_t slots, std::uint32_t* locks) {
  const dedup::CornerWords words = dedup::words_of(&corners[corner]);
  return {corners, table, slots, locks, corner, dedup::hash(words), words};
}

// One thread per corner, full warps: inserts every distinct corner.
__global__ void insert_kinds_kernel(const Vertex* __restrict__ corners,
                                    const std::uint32_t* __restrict__ count, Slot* table,
                                    std::uint32_t slots, std::uint32_t* locks) {
  const std::uint32_t corner = global_thread();
  const bool real = corner < *count;
  hash::insert_ordered(in_order(corners, real ? corner : 0, table, slots, locks), real);
}

// One thread per corner. The slots of equal corners differ only in the corner's index.
__global__ void lower_to_first_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, Slot* table,
                                      std::uint32_t slots, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  if (corner >= *count) return;
  const CornerInOrder entry = in_order(corners, corner, table, slots, nullptr);
  const std::uint32_t slot = hash::find_spot(entry).at;
  if (entry.mine() < load_relaxed(&table[slot])) atomicMin(&table[slot], entry.mine());
  slot_of[corner] = slot;
}

}  // namespace

void dedup_bidirectional(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  // At most four fifths are occupied, so there is always room.
  const std::uint32_t slots = args.n + args.n / 4 + 1;
  const std::size_t locks_size = slots / slots_a_lock + 1;
  auto* table = scratch.take<Slot>(slots, "table");
  auto* locks = scratch.take<std::uint32_t>(locks_size, "locks");
  auto* first = scratch.take<std::uint32_t>(args.n, "first");
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(Slot));
    stream.fill(locks, 0xff, locks_size * sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_kinds_kernel), one_thread_each(args.n), args.corners, args.count,
           table, slots, locks);
    launch(stream, KERNEL(lower_to_first_kernel), one_thread_each(args.n), args.corners, args.count,
           table, slots, first);
    launch(stream, KERNEL(dedup::find_firsts_kernel<Slot>), one_thread_each(args.n), args.count,
           args.n, table, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
