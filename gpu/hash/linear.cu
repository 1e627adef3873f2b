// Hash map by linear probing, a lane a key.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4, algorithm L.
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// The whole of it is in linear.h. Probing goes along memory, so the next slots are often in the
// sector that was fetched for the first. What it costs grows fast with the load, for slots that are
// taken stand in ever longer runs: at load a, a key that is not there takes (1 + 1 / (1 - a)^2) / 2
// looks on average, 2.5 in a table half full and 200 at 0.95 (Knuth).
#include "gpu/hash/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

template <class Key>
__global__ void insert_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const Key key = work.keys[i];
  std::uint32_t value = work.value(i);
  bool claimed = false;
  const std::uint32_t slot =
      key == empty_key<Key> ? table.slots : find_or_claim(table, key, value, &claimed);
  const bool fits = slot < table.slots;
  if (fits) value = table.give(slot, work.operation, key, value, claimed);
  work.finish(i, fits, value);
}

template <class Key>
__global__ void find_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i < work.n) work.results[i] = find(table, work.keys[i]);
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

void hash_map_linear(Stream& stream, const HashMapArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  if (args.table->key_bits == 32)
    hash::linear<std::uint32_t>(stream, args);
  else
    hash::linear<std::uint64_t>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
