// The hash table with linear probing that some variants of dedup use.
//
// A slot holds the number of a corner, and stands for all corners equal to it; corners themselves
// are compared in the input array, so a slot is one word and changes by one atomic. The first
// corner of a kind to come claims the slot, and later ones lower the number to the smallest: which
// corner wins does not depend on the order in which threads run.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpu/dedup/corner.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

inline constexpr std::uint32_t empty_slot = 0xffffffffU;

// At most half of the slots are ever taken: n corners, at least 2 n slots. At that load a probe for
// an absent key reads 2.5 slots on average and for a present one 1.5; meshes, whose corners share
// vertices about six to one, fill a twelfth.
inline std::size_t slots_for(std::uint32_t n) { return std::bit_ceil(2 * std::size_t{n}); }

// Finds or claims the slot of a corner's kind and gives its number, so that nothing probes again.
// `words` and `hash` are the corner's; table[mask + 1] was empty at first.
//
// A slot goes from empty to a corner's number once and keeps to numbers of equal corners from then
// on. A number says all there is to know, as corners do not change, so relaxed loads do and no
// fence is needed; a load that misses another thread's claim or lowering is put right by the
// atomic. The loop ends because half of the table stays empty; it waits for nobody.
__device__ inline std::uint32_t find_or_claim(const Vertex* __restrict__ corners,
                                              std::uint32_t corner, const CornerWords& words,
                                              std::uint32_t hash, std::uint32_t* table,
                                              std::uint32_t mask) {
  for (std::uint32_t slot = hash & mask;; slot = (slot + 1) & mask) {
    std::uint32_t holder = load_relaxed(&table[slot]);
    if (holder == empty_slot) holder = atomicCAS(&table[slot], empty_slot, corner);
    const bool claimed = holder == empty_slot;
    if (claimed || equal(words, words_of(&corners[holder]))) {
      if (!claimed && corner < holder) atomicMin(&table[slot], corner);
      return slot;
    }
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
