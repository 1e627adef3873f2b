// Hash map by linear probing, one lane per key.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4, algorithm L.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Linear probing.
//
// The probing is in linear.h. It goes along memory, so the next slots are often in the sector that
// was fetched for the first. Its cost grows fast with the load factor, because occupied slots form
// ever longer runs: at load factor a, an absent key takes (1 + 1 / (1 - a)^2) / 2 probes on
// average, 2.5 in a table half full and 200 at 0.95 (Knuth).
#include "gpu/primitives/hash_map/linear.h"

#include "gpu/primitives/hash_map/table.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

template <class Key>
__global__ void insert_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const Key key = work.keys[i];
  std::uint32_t value = work.value(i);
  Found<Key> found{table.slots, false, {}};
  if (key != empty_key<Key>)
    found = find_or_claim(KeyEntry<Key>(table, Slots::changing, key, value));
  const bool fits = found.slot < table.slots;
  if (fits) value = table.give(found.slot, work.operation, key, value, found.claimed);
  work.finish(i, fits, value);
}

template <class Key>
__global__ void find_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const std::uint32_t slot = find(KeyEntry<Key>(table, Slots::still, work.keys[i], 0));
  work.results[i] = slot < table.slots ? table.value_at(slot, Slots::still) : no_value;
}

template <class Key>
void linear(Stream& stream, const HashMapArgs& args) {
  if (args.operation == HashOperation::list) {
    list<Key>(stream, args);
  } else if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_kernel<Key>), one_thread_each(args.n), Table<Key>(*args.table),
           Work<Key>(args));
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_kernel<Key>), one_thread_each(args.n), Table<Key>(*args.table),
           Work<Key>(args));
  }
}

}  // namespace
}  // namespace hash

void hash_map_linear(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.table->key_bits == 32)
    hash::linear<std::uint32_t>(stream, args);
  else
    hash::linear<std::uint64_t>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
