// The kernel that both variants share; they differ in what they tell the cache about the table.
#pragma once

#include "gpu/primitives/hash_map/linear.h"
#include "gpu/primitives/hash_map/table.h"
#include "gpu/primitives/l2/l2.h"

namespace warpview::WARPVIEW_BACKEND::l2 {

// One lane per key. Each key and value passes through the cache once; a slot of the table is read
// repeatedly.
static __global__ void find_kernel(hash::Table<std::uint32_t> table,
                                   const std::uint32_t* __restrict__ keys, std::uint32_t n,
                                   std::uint32_t every, std::uint32_t* __restrict__ values) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  std::uint32_t value = keys[i];
  if ((i & (every - 1)) == 0) {
    const auto still = hash::Slots::still;
    const std::uint32_t slot = hash::find(hash::KeyEntry<std::uint32_t>(table, still, value, 0));
    value = slot < table.slots ? table.value_at(slot, still) : no_value;
  }
  values[i] = value;
}

}  // namespace warpview::WARPVIEW_BACKEND::l2
