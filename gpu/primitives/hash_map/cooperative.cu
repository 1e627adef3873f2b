// Hash map that neighbouring lanes probe together.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//
// A lane that probes alone fetches a whole sector of memory for the one slot that it reads. Here
// four lanes serve one key at a time: each reads one of the four slots of a window, together one
// sector, and two ballots show which of them holds the key and which is empty (together.h). The
// saving grows with the load factor: each probe covers four slots.
#include "gpu/primitives/hash_map/table.h"
#include "gpu/primitives/hash_map/together.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

// One lane reads each key. Then a tile serves the keys of its lanes one by one, and each lane keeps
// the slot of its own. Lanes without a key stay, to probe for the others.
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
    const Found<Key> found =
        find_or_claim_together(tile, KeyEntry<Key>(table, Slots::changing, key, value));
    if (tile.lane() == i) {
      own_slot = found.slot;
      own_claimed = found.claimed;
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
    const std::uint32_t slot = find_together(tile, KeyEntry<Key>(table, Slots::still, key, 0));
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

void hash_map_cooperative(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.table->key_bits == 32)
    hash::cooperative<std::uint32_t>(stream, args);
  else
    hash::cooperative<std::uint64_t>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
