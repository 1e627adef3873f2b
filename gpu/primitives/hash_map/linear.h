// Linear probing: an entry lies in its home slot or, if others lay there first, in the next that
// was free. The search for it ends at the entry, at an empty slot, or after the last slot.
#pragma once

#include <cstdint>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The table is reached through an Entry, the one that is sought or comes in:
//
//   Held                          what a slot holds, as one look tells it
//   std::uint32_t slots           of the table
//   std::uint32_t home(places)    where the entry is at home among so many slots
//   Held look(slot)
//   bool is_empty(held)
//   bool is_same(held)            is it this entry? Not where it is empty.
//   Held claim(slot)              by one atomic, whoever else tries: gives what was there, empty on
//                                 success

// Where an entry is.
template <class Held>
struct Found {
  std::uint32_t slot;  // entry.slots: there was no room
  bool claimed;        // it came in
  Held held;           // else: what the slot held
};

// Brings an entry in unless it is there.
//
// A slot, once taken, keeps its entry, so what has been seen taken by another need not be looked at
// again. One that is seen empty may have been taken since, by this very entry too: the claim gives
// the one that was faster. So no entry gets two slots, and nobody waits.
template <class Entry>
__device__ inline Found<typename Entry::Held> find_or_claim(const Entry& entry) {
  std::uint32_t slot = entry.home(entry.slots);
  for (std::uint32_t looks = 0; looks < entry.slots; ++looks) {
    auto held = entry.look(slot);
    if (entry.is_empty(held)) held = entry.claim(slot);
    const bool claimed = entry.is_empty(held);
    if (claimed || entry.is_same(held)) return {slot, claimed, held};
    slot = slot + 1 < entry.slots ? slot + 1 : 0;
  }
  return {entry.slots, false, {}};
}

// The slot of an entry, or entry.slots. Nobody writes to the table meanwhile.
template <class Entry>
__device__ inline std::uint32_t find(const Entry& entry) {
  std::uint32_t slot = entry.home(entry.slots);
  for (std::uint32_t looks = 0; looks < entry.slots; ++looks) {
    const auto held = entry.look(slot);
    if (entry.is_empty(held)) break;
    if (entry.is_same(held)) return slot;
    slot = slot + 1 < entry.slots ? slot + 1 : 0;
  }
  return entry.slots;
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
