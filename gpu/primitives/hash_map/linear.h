// Linear probing: an entry lies in its home slot or, if that was occupied, in the next free one.
// The search for it ends at the entry, at an empty slot, or after all slots.
#pragma once

#include <cstdint>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The algorithms access the table through an Entry, the one to find or to insert:
//
//   Held                          the content of a slot, as one read returns it
//   std::uint32_t slots           of the table
//   std::uint32_t home(places)    the entry's home among this many slots
//   Held look(slot)
//   bool is_empty(held)
//   bool is_same(held)            whether it is this entry; false for an empty slot
//   Held claim(slot)              by one atomic, concurrently with others: returns the previous
//                                 content, empty on success

// Where an entry is.
template <class Held>
struct Found {
  std::uint32_t slot;  // entry.slots: there was no room
  bool claimed;        // it was inserted
  Held held;           // otherwise: the content of the slot
};

// Inserts an entry if it is absent.
//
// A slot, once occupied, keeps its entry, so a slot that was seen to hold another entry need not be
// read again. A slot that was seen empty may have been claimed since, even for an equal entry: the
// claim returns the winner. No entry gets two slots, and no thread waits.
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

// Returns the slot of an entry, or entry.slots. The table must not be written meanwhile.
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
