// The kernel of both variants, which differ in what the cache is told about the table.
#pragma once

#include "gpu/hash/linear.h"
#include "gpu/l2/l2.h"

namespace warpview::WARPVIEW_BACKEND::l2 {

// A lane a key. Each key and value passes through the cache once; a slot of the table is looked at
// again and again.
static __global__ void find_kernel(hash::Table<std::uint32_t> table,
                                   const std::uint32_t* __restrict__ keys, std::uint32_t n,
                                   std::uint32_t* __restrict__ values) {
  const std::uint32_t i = global_thread();
  if (i < n) values[i] = hash::find(table, keys[i]);
}

}  // namespace warpview::WARPVIEW_BACKEND::l2
