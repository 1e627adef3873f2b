#include "gpu/primitives/hash_map/hash_map.h"

#include "gpu/runtime/device.h"

namespace warpview {

// Empty slots have all bits set, and so have free locks: one fill clears both.
void clear(Stream& stream, HashTable& table) {
  table.host.reset();
  stream.fill(table.memory, 0xff, hash_table_bytes(table.key_bits, table.slots));
}

}  // namespace warpview
