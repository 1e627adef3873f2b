// The work between the two ways (memory.h).
#pragma once

#include "gpu/primitives/memory/memory.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND::memory {

static __global__ void triple_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n) {
  const std::uint32_t i = global_thread();
  if (i < n) out[i] = 3 * in[i] + 1;
}

inline void launch_triple(Stream& stream, const std::uint32_t* in, std::uint32_t* out,
                          std::uint32_t n) {
  launch(stream, KERNEL(triple_kernel), one_thread_each(n), in, out, n);
}

}  // namespace warpview::WARPVIEW_BACKEND::memory
