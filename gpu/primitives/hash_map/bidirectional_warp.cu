// Hash map ordered by hash, like bidirectional, in which a whole warp inserts each key.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bidirectional linear probing.
//
// Where every lane inserts its own key, lanes of one warp wait for each other's locks, and in a
// table nearly full each lane walks over a hundred slots one by one. Here a warp inserts its lanes'
// keys in turn, with the long steps done by all lanes in parallel (bidirectional_warp.h). The
// handling of values, and the search, are those of bidirectional (ordered_map.h).
#include "gpu/primitives/hash_map/bidirectional_warp.h"
#include "gpu/primitives/hash_map/ordered_map.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

// One thread per key, full warps.
template <class Key>
__global__ void insert_by_warps_kernel(Table<Key> table, Work<Key> work, warp::LaneMask* late) {
  const std::uint32_t i = global_thread();
  const Key own_key = i < work.n ? work.keys[i] : empty_key<Key>;
  const std::uint32_t own_value = i < work.n ? work.value(i) : 0;

  // Each lane probes its own key's home: the loads of all the warp's keys are in flight together,
  // and a key that is already present needs no turn.
  Outcome outcome = Outcome::no_room;
  if (own_key != empty_key<Key>) {
    const MapEntry<Key> own(table, Slots::changing, own_key, own_value);
    if (own.look(own.home()) == Holds::same) outcome = Outcome::was_there;
  }
  warp::LaneMask to_come =
      warp::ballot(warp::all_lanes(), own_key != empty_key<Key> && outcome != Outcome::was_there);
  for (; to_come != 0; to_come &= to_come - 1) {
    const unsigned owner = warp::first(to_come);
    const Key key = warp::shuffle(warp::all_lanes(), own_key, owner);
    const Outcome its_outcome =
        insert_together(MapEntry<Key>(table, Slots::changing, key, own_value), owner);
    if (warp::lane() == owner) outcome = its_outcome;
  }
  finish_or_mark_late(work, i, outcome, own_value, late);
}

}  // namespace
}  // namespace hash

void hash_map_bidirectional_warp(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (args.table->key_bits == 32)
    hash::operate_in_order(stream, args, scratch,
                           KERNEL(hash::insert_by_warps_kernel<std::uint32_t>));
  else
    hash::operate_in_order(stream, args, scratch,
                           KERNEL(hash::insert_by_warps_kernel<std::uint64_t>));
}

}  // namespace warpview::WARPVIEW_BACKEND
