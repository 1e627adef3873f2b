// Linear probing by four lanes together: each reads one of four neighbouring slots, a window; at 8
// bytes per slot a window is one sector of memory. Two ballots show which slot holds the entry and
// which is empty. Windows are probed one after another.
#pragma once

#include "gpu/primitives/hash_map/linear.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The slots that are read at once, and the lanes of a tile.
inline constexpr unsigned window_size = 4;

// A warp of either size consists of whole tiles.
struct Tile {
  unsigned begin;        // its first lane
  warp::LaneMask lanes;  // named at every collective: tiles of a warp diverge

  __device__ static Tile of_this_lane() {
    const unsigned begin = warp::lane() / window_size * window_size;
    return {begin, ((warp::LaneMask{1} << window_size) - 1) << begin};
  }
  // This lane's index in the tile.
  __device__ unsigned lane() const { return warp::lane() - begin; }
  // The slot that the first of these lanes reads.
  __device__ std::uint32_t slot_of(std::uint32_t window, warp::LaneMask some) const {
    return window * window_size + warp::first(some) - begin;
  }
};

// Inserts an entry (as in linear.h) if it is absent. Called by a whole tile with the same entry;
// every lane gets the same result, except that `held` is what the lane itself has read last.
//
// All tiles probe in the same order: the windows from home on, within a window the slots from the
// lowest. A slot that was seen empty may have been claimed since, even for an equal entry.
// Therefore only the lowest empty slot is claimed, and if the claim fails the tile examines what is
// there. No entry gets two slots, and no thread waits.
template <class Entry>
__device__ inline Found<typename Entry::Held> find_or_claim_together(const Tile& tile,
                                                                     const Entry& entry) {
  const std::uint32_t windows = entry.slots / window_size;
  std::uint32_t window = entry.home(windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const std::uint32_t slot = window * window_size + tile.lane();
    auto held = entry.look(slot);
    for (;;) {
      const warp::LaneMask matches = warp::ballot(tile.lanes, entry.is_same(held));
      if (matches != 0) return {tile.slot_of(window, matches), false, held};
      const warp::LaneMask empties = warp::ballot(tile.lanes, entry.is_empty(held));
      if (empties == 0) break;
      bool mine = false;
      if (warp::lane() == warp::first(empties)) {
        held = entry.claim(slot);
        mine = entry.is_empty(held);
      }
      if (warp::any(tile.lanes, mine)) return {tile.slot_of(window, empties), true, held};
    }
    window = window + 1 < windows ? window + 1 : 0;
  }
  return {entry.slots, false, {}};
}

// Returns the slot of an entry, or entry.slots. Called by a whole tile; the table must not be
// written meanwhile.
template <class Entry>
__device__ inline std::uint32_t find_together(const Tile& tile, const Entry& entry) {
  const std::uint32_t windows = entry.slots / window_size;
  std::uint32_t window = entry.home(windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const auto held = entry.look(window * window_size + tile.lane());
    const warp::LaneMask matches = warp::ballot(tile.lanes, entry.is_same(held));
    if (matches != 0) return tile.slot_of(window, matches);
    if (warp::any(tile.lanes, entry.is_empty(held))) break;
    window = window + 1 < windows ? window + 1 : 0;
  }
  return entry.slots;
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
