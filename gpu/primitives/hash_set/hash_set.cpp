#include "gpu/primitives/hash_set/hash_set.h"

#include "gpu/runtime/device.h"

namespace warpview {

void clear(Stream& stream, const HashSet& set) {
  stream.fill(set.memory, 0, set.slots * sizeof(std::uint32_t));
}

}  // namespace warpview
