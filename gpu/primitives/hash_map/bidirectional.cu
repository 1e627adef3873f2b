// Hash map ordered by hash, by linear probing in both directions, under range locks.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bidirectional linear probing.
//
// bidirectional.h explains the search, the inserts and the locks; ordered_map.h explains the
// handling of values. Inserts pay for locks and shifting, and the search gains: it ends where the
// order places the key, so an absent key costs no more than a present one at any load factor.
#include "gpu/primitives/hash_map/bidirectional.h"
#include "gpu/primitives/hash_map/ordered_map.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

// One thread per key, full warps.
template <class Key>
__global__ void insert_ordered_kernel(Table<Key> table, Work<Key> work, warp::LaneMask* late) {
  const std::uint32_t i = global_thread();
  const Key key = i < work.n ? work.keys[i] : empty_key<Key>;
  const std::uint32_t value = i < work.n ? work.value(i) : 0;
  const Outcome outcome =
      insert_ordered(MapEntry<Key>(table, Slots::changing, key, value), key != empty_key<Key>);
  finish_or_mark_late(work, i, outcome, value, late);
}

}  // namespace
}  // namespace hash

void hash_map_bidirectional(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (args.table->key_bits == 32)
    hash::operate_in_order(stream, args, scratch,
                           KERNEL(hash::insert_ordered_kernel<std::uint32_t>));
  else
    hash::operate_in_order(stream, args, scratch,
                           KERNEL(hash::insert_ordered_kernel<std::uint64_t>));
}

}  // namespace warpview::WARPVIEW_BACKEND
