// The kernel of both variants, which differ in what the cache is told about the table.
#pragma once

#include "gpu/hash/linear.h"
#include "gpu/l2/l2.h"

namespace warpview::WARPVIEW_BACKEND::l2 {

// A lane a key. Each key and value passes through the cache once; a slot of the table is looked at
// again and again.
static __global__ void find_kernel(hash::Table<std::uint32_t> table,
                                   const std::uint32_t* __restrict__ keys, std::uint32_t n,
                                   std::uint32_t every, std::uint32_t* __restrict__ values) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const bool asks = (i & (every - 1)) == 0;
  values[i] = asks ? hash::find(table, keys[i]) : keys[i];
}

}  // namespace warpview::WARPVIEW_BACKEND::l2
