// Hash map ordered by hash, by linear probing in both directions, under range locks.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bidirectional linear probing.
//
// How the table is searched, filled and locked stands in bidirectional.h. Insertion pays for the
// locks and the shifting; what it buys is the search: it ends where the order says that the key
// would stand, so a key that is not there costs no more than one that is, however full the table.
//
// As entries move while others come in, a value can be met in place only when all stand still. So
// the operations that insert are two launches: the first brings every new key in with its value,
// and marks, in one bit per key, those that were there already or came more than once; the second
// lets their values meet what the keys have got.
#include "gpu/primitives/hash_map/bidirectional.h"
#include "gpu/primitives/hash_map/table.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

// A key and its value, as insert_ordered asks for it. No two keys have the same hash.
template <class Key>
struct MapEntry {
  Table<Key> table;
  Slots how;
  Key key;
  Key hash;
  std::uint32_t value;
  std::uint32_t slots;
  std::uint32_t* locks;

  __device__ MapEntry(const Table<Key>& in, Slots read_how, Key own_key, std::uint32_t own_value)
      : table(in),
        how(read_how),
        key(own_key),
        hash(mix(own_key)),
        value(own_value),
        slots(in.slots),
        locks(in.locks) {}

  __device__ std::uint32_t home() const { return hash::home(hash, slots); }
  __device__ Holds look(std::uint32_t slot) const {
    const Key held = table.key_at(slot, how);
    if (held == empty_key<Key>) return Holds::nothing;
    if (held == key) return Holds::same;
    return mix(held) < hash ? Holds::smaller : Holds::larger;
  }
  __device__ bool is_empty(std::uint32_t slot) const {
    return table.key_at(slot, how) == empty_key<Key>;
  }
  __device__ void move(std::uint32_t to, std::uint32_t from) const { table.move(to, from); }
  __device__ void put(std::uint32_t slot) const { table.put(slot, key, value); }
};

// One thread per key, full warps. late[w] is of warp w of the launch: the lanes whose keys were
// there.
template <class Key>
__global__ void insert_ordered_kernel(Table<Key> table, Work<Key> work, warp::LaneMask* late) {
  const std::uint32_t i = global_thread();
  const Key key = i < work.n ? work.keys[i] : empty_key<Key>;
  const std::uint32_t value = i < work.n ? work.value(i) : 0;
  const Outcome outcome =
      insert_ordered(MapEntry<Key>(table, Slots::changing, key, value), key != empty_key<Key>);
  if (i < work.n && outcome != Outcome::was_there) work.finish(i, outcome == Outcome::put, value);
  const warp::LaneMask were_there = warp::ballot(warp::all_lanes(), outcome == Outcome::was_there);
  if (warp::lane() == 0) late[i / warp::size()] = were_there;
}

// The same threads again. Values change, keys no longer do.
template <class Key>
__global__ void give_late_values_kernel(Table<Key> table, Work<Key> work,
                                        const warp::LaneMask* __restrict__ late) {
  const std::uint32_t i = global_thread();
  if ((late[i / warp::size()] >> warp::lane() & 1U) == 0) return;
  const Key key = work.keys[i];
  const std::uint32_t value = work.value(i);
  const Spot spot = find_spot(MapEntry<Key>(table, Slots::changing, key, value));
  work.finish(i, true, table.give(spot.at, work.operation, key, value, false));
}

template <class Key>
__global__ void find_ordered_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const Key key = work.keys[i];
  std::uint32_t value = no_value;
  if (key != empty_key<Key>) {
    const Spot spot = find_spot(MapEntry<Key>(table, Slots::still, key, 0));
    if (spot.held == Holds::same) value = table.value_at(spot.at, Slots::still);
  }
  work.results[i] = value;
}

template <class Key>
void bidirectional(Stream& stream, const HashMapArgs& args, warp::LaneMask* late) {
  const Table<Key> table(*args.table);
  const Work<Key> work(args);
  const Shape shape = one_thread_each(args.n);
  if (args.operation == HashOperation::list) {
    list<Key>(stream, args);
  } else if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_ordered_kernel<Key>), shape, table, work);
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_ordered_kernel<Key>), shape, table, work, late);
    launch(stream, KERNEL(give_late_values_kernel<Key>), shape, table, work, late);
  }
}

}  // namespace
}  // namespace hash

void hash_map_bidirectional(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  // Blocks of 256 threads are at most 8 warps.
  auto* late = scratch.take<warp::LaneMask>((std::size_t{args.n} / 256 + 1) * 8);
  if (scratch.measuring()) return;
  if (args.table->key_bits == 32)
    hash::bidirectional<std::uint32_t>(stream, args, late);
  else
    hash::bidirectional<std::uint64_t>(stream, args, late);
}

}  // namespace warpview::WARPVIEW_BACKEND
