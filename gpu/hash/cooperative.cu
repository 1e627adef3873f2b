// Hash map whose slots neighbouring lanes probe together.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// A lane that probes alone fetches a whole sector of memory for the one slot it looks at. Here four
// lanes serve one key at a time: each reads one of the four slots of a window, together one sector,
// and two ballots tell which of them holds the key and which is empty. Windows are probed one after
// the other. The fuller the table, the more that saves: each read decides about four slots.
#include "gpu/hash/table.h"
#include "gpu/hash/tile.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

// The slot of a key that is there or now came in; table.slots if there was no room. Called by a
// whole tile with the same key; every lane gets the same answer.
//
// All probe in the same order: the windows from home on, in a window the slots from the lowest.
// What a tile has seen empty may have been taken since, by this very key too: that is why the
// lowest empty slot is claimed and no other, and why the tile looks at what is there when the claim
// fails. So no key gets two slots, and nobody waits.
template <class Key>
__device__ inline std::uint32_t find_or_claim_together(const Tile& tile, const Table<Key>& table,
                                                       Key key, std::uint32_t value,
                                                       bool* claimed) {
  const std::uint32_t windows = table.slots / window_size;
  std::uint32_t window = home(mix(key), windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const std::size_t slot = std::size_t{window} * window_size + tile.lane();
    Key held = table.key_at(slot, Slots::changing);
    for (;;) {
      const auto slot_of = [&](warp::LaneMask lanes) {
        return window * window_size + warp::first(lanes) - tile.begin;
      };
      const warp::LaneMask matches = warp::ballot(tile.lanes, held == key);
      if (matches != 0) return slot_of(matches);
      const warp::LaneMask empties = warp::ballot(tile.lanes, held == empty_key<Key>);
      if (empties == 0) break;
      bool mine = false;
      if (warp::lane() == warp::first(empties)) {
        held = table.claim(slot, key, value);
        mine = held == empty_key<Key>;
      }
      if (warp::any(tile.lanes, mine)) {
        *claimed = true;
        return slot_of(empties);
      }
    }
    window = window + 1 < windows ? window + 1 : 0;
  }
  return table.slots;
}

// The slot of a key, or table.slots. Nobody writes to the table meanwhile.
template <class Key>
__device__ inline std::uint32_t find_together(const Tile& tile, const Table<Key>& table, Key key) {
  const std::uint32_t windows = table.slots / window_size;
  std::uint32_t window = home(mix(key), windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const Key held = table.key_at(std::size_t{window} * window_size + tile.lane(), Slots::still);
    const warp::LaneMask matches = warp::ballot(tile.lanes, held == key);
    if (matches != 0) return window * window_size + warp::first(matches) - tile.begin;
    if (warp::any(tile.lanes, held == empty_key<Key>)) break;
    window = window + 1 < windows ? window + 1 : 0;
  }
  return table.slots;
}

// A lane a key, to read it; then a tile serves the keys of its lanes one by one, and each lane
// keeps the slot of its own. Lanes without a key stay, to probe for the others.
template <class Key>
__global__ void insert_together_kernel(Table<Key> table, Work<Key> work) {
  const Tile tile = Tile::of_this_lane();
  const std::uint32_t own = global_thread();
  const Key own_key = own < work.n ? work.keys[own] : empty_key<Key>;
  std::uint32_t own_value = own < work.n ? work.value(own) : 0;

  std::uint32_t own_slot = table.slots;
  bool own_claimed = false;
  for (unsigned i = 0; i < window_size; ++i) {
    const Key key = warp::shuffle(tile.lanes, own_key, tile.begin + i);
    const std::uint32_t value = warp::shuffle(tile.lanes, own_value, tile.begin + i);
    if (key == empty_key<Key>) continue;
    bool claimed = false;
    const std::uint32_t slot = find_or_claim_together(tile, table, key, value, &claimed);
    if (tile.lane() == i) {
      own_slot = slot;
      own_claimed = claimed;
    }
  }
  if (own >= work.n) return;
  const bool fits = own_slot < table.slots;
  if (fits) own_value = table.give(own_slot, work.operation, own_key, own_value, own_claimed);
  work.finish(own, fits, own_value);
}

template <class Key>
__global__ void find_together_kernel(Table<Key> table, Work<Key> work) {
  const Tile tile = Tile::of_this_lane();
  const std::uint32_t own = global_thread();
  const Key own_key = own < work.n ? work.keys[own] : empty_key<Key>;

  std::uint32_t own_slot = table.slots;
  for (unsigned i = 0; i < window_size; ++i) {
    const Key key = warp::shuffle(tile.lanes, own_key, tile.begin + i);
    if (key == empty_key<Key>) continue;
    const std::uint32_t slot = find_together(tile, table, key);
    if (tile.lane() == i) own_slot = slot;
  }
  if (own < work.n)
    work.results[own] = own_slot < table.slots ? table.value_at(own_slot, Slots::still) : no_value;
}

template <class Key>
void cooperative(Stream& stream, const HashMapArgs& args) {
  if (args.operation == HashOperation::list) {
    list<Key>(stream, args);
  } else if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_together_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_together_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  }
}

}  // namespace
}  // namespace hash

void hash_map_cooperative(Stream& stream, const HashMapArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  if (args.table->key_bits == 32)
    hash::cooperative<std::uint32_t>(stream, args);
  else
    hash::cooperative<std::uint64_t>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
