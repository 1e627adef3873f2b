// The hash table with linear probing that some variants of dedup use, and their host function.
//
// A slot holds the index of a corner, and stands for all corners equal to it. Corners themselves
// are compared in the input array, so a slot is one word and one atomic changes it. The first of
// equal corners to arrive claims the slot, and later ones lower the index to the smallest: the
// result does not depend on the order in which threads run.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gpu/primitives/dedup/corner.h"
#include "gpu/primitives/dedup/firsts.h"
#include "gpu/primitives/dedup/number.h"
#include "gpu/primitives/hash_map/linear.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

inline constexpr std::uint32_t empty_slot = 0xffffffffU;

// The load factor is at most one half: n corners, at least 2 n slots, a power of two. At that load
// a probe for an absent key reads 2.5 slots on average and for a present one 1.5; meshes, whose
// corners share vertices about six to one, fill a twelfth.
inline std::size_t slots_for(std::uint32_t n) { return std::bit_ceil(2 * std::size_t{n}); }

// A corner in the form of an entry for the probing (gpu/primitives/hash_map/linear.h).
//
// A slot goes from empty to a corner's index once and from then on holds only indices of equal
// corners. An index contains all that is needed, because corners do not change: relaxed loads
// suffice and no fence is needed. A load that misses another thread's claim or lowering is
// corrected by the atomic.
struct CornerEntry {
  using Held = std::uint32_t;

  const Vertex* corners;
  std::uint32_t corner;
  std::uint32_t* table;
  std::uint32_t slots;
  CornerWords words;
  std::uint32_t hash;

  __device__ CornerEntry(const Vertex* all_corners, std::uint32_t own_corner,
                         std::uint32_t* in_table, std::uint32_t table_slots)
      : corners(all_corners),
        corner(own_corner),
        table(in_table),
        slots(table_slots),
        words(words_of(&all_corners[own_corner])),
        hash(dedup::hash(words)) {}

  __device__ std::uint32_t home(std::uint32_t places) const { return hash & (places - 1); }
  __device__ Held look(std::uint32_t slot) const { return load_relaxed(&table[slot]); }
  __device__ bool is_empty(Held held) const { return held == empty_slot; }
  __device__ bool is_same(Held held) const {
    return held != empty_slot && equal(words, words_of(&corners[held]));
  }
  __device__ Held claim(std::uint32_t slot) const {
    return atomicCAS(&table[slot], empty_slot, corner);
  }
};

// Finds or claims the slot of a corner and returns its index, so that no later step probes again.
// There is always room.
__device__ inline std::uint32_t slot_of_kind(const CornerEntry& entry) {
  const hash::Found<std::uint32_t> found = hash::find_or_claim(entry);
  if (!found.claimed && entry.corner < found.held)
    atomicMin(&entry.table[found.slot], entry.corner);
  return found.slot;
}

// The host function: `insert(corners, count, table, slots, slot_of)` is launched with one thread
// per corner and writes the slot of each corner.
inline void through_table(
    Stream& stream, const DedupArgs& args, Scratch& scratch,
    Kernel<const Vertex*, const std::uint32_t*, std::uint32_t*, std::uint32_t, std::uint32_t*>
        insert) {
  if (args.n > 1U << 30U)
    throw Error("de-duplication of " + std::to_string(args.n) + " corners",
                "the table's slots are numbered by 32 bits, and there are twice as many",
                "Open fewer triangles");
  const std::size_t slots = slots_for(args.n);
  auto* table = scratch.take<std::uint32_t>(slots, "table");
  auto* first = scratch.take<std::uint32_t>(args.n, "first");
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(std::uint32_t));
    launch(stream, insert, one_thread_each(args.n), args.corners, args.count, table,
           static_cast<std::uint32_t>(slots), first);
    launch(stream, KERNEL(find_firsts_kernel<std::uint32_t>), one_thread_each(args.n), args.count,
           args.n, table, first, rank);
  }
  number_vertices(stream, args, first, rank, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
