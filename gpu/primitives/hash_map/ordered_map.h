// What the hash maps ordered by hash share, however they insert entries: an entry, the handling of
// keys that were already present, and the search.
//
// Entries move during inserts, so a value can be combined in place only when all are at rest. The
// operations that insert therefore take two launches. The first inserts every new key with its
// value, and marks, in one bit per key, the keys that were already present or came more than once.
// The second combines their values with those in the table.
#pragma once

#include "gpu/primitives/hash_map/bidirectional.h"
#include "gpu/primitives/hash_map/table.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// A key and its value as an Entry of bidirectional.h. No two keys have the same hash.
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
  __device__ auto content(std::uint32_t slot) const { return table.content(slot); }
  template <class Content>
  __device__ void set(std::uint32_t slot, const Content& content) const {
    table.set(slot, content);
  }
  __device__ void move(std::uint32_t to, std::uint32_t from) const { table.move(to, from); }
  __device__ void put(std::uint32_t slot) const { table.put(slot, key, value); }
};

// The end of a launch that inserts, called by all lanes of full warps: records the outcome of key
// i. late[w] belongs to warp w of the launch: the lanes whose keys were already present.
template <class Key>
__device__ inline void finish_or_mark_late(const Work<Key>& work, std::uint32_t i, Outcome outcome,
                                           std::uint32_t value, warp::LaneMask* late) {
  if (i < work.n && outcome != Outcome::was_there) work.finish(i, outcome == Outcome::put, value);
  const warp::LaneMask were_there = warp::ballot(warp::all_lanes(), outcome == Outcome::was_there);
  if (warp::lane() == 0) late[i / warp::size()] = were_there;
}

// Run by the same threads again. Values change, keys no longer do.
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

// Queues an operation. insert(table, work, late) is the kernel that inserts keys: one thread per
// key, blocks as of one_thread_each, ending with finish_or_mark_late().
template <class Key>
void operate_in_order(Stream& stream, const HashMapArgs& args, Scratch& scratch,
                      Kernel<Table<Key>, Work<Key>, warp::LaneMask*> insert) {
  // Blocks of 256 threads have at most 8 warps.
  auto* late = scratch.take<warp::LaneMask>((std::size_t{args.n} / 256 + 1) * 8, "late");
  if (scratch.measuring()) return;
  const Table<Key> table(*args.table);
  const Work<Key> work(args);
  const Shape shape = one_thread_each(args.n);
  if (args.operation == HashOperation::list) {
    list<Key>(stream, args);
  } else if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_ordered_kernel<Key>), shape, table, work);
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, insert, shape, table, work, late);
    launch(stream, KERNEL(give_late_values_kernel<Key>), shape, table, work, late);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
