// Linear probing: a key lies in its home slot or, if others lay there first, in the next that was
// free. The search for it ends at the key, at an empty slot, or after the last slot.
#pragma once

#include "gpu/hash/table.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The slot of a key that is there or now came in; `slots` if there was no room. *claimed tells
// whether it came in.
//
// A slot, once taken, keeps its key, so what has been seen taken by another key need not be looked
// at again. One that is seen empty may have been taken since, by this very key too: the claim gives
// the key that was faster. So no key gets two slots, and nobody waits.
template <class Key>
__device__ inline std::uint32_t find_or_claim(const Table<Key>& table, Key key, std::uint32_t value,
                                              bool* claimed) {
  std::uint32_t slot = home(mix(key), table.slots);
  for (std::uint32_t looks = 0; looks < table.slots; ++looks) {
    Key held = table.key_at(slot, Slots::changing);
    if (held == empty_key<Key>) held = table.claim(slot, key, value);
    *claimed = held == empty_key<Key>;
    if (*claimed || held == key) return slot;
    slot = slot + 1 < table.slots ? slot + 1 : 0;
  }
  return table.slots;
}

// The value of a key, or no_value. Nobody writes to the table meanwhile.
template <class Key>
__device__ inline std::uint32_t find(const Table<Key>& table, Key key) {
  std::uint32_t slot = home(mix(key), table.slots);
  for (std::uint32_t looks = 0; looks < table.slots; ++looks) {
    const Key held = table.key_at(slot, Slots::still);
    if (held == empty_key<Key>) break;
    if (held == key) return table.value_at(slot, Slots::still);
    slot = slot + 1 < table.slots ? slot + 1 : 0;
  }
  return no_value;
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
