// The first step of select and of partition in three kernels.
#pragma once

#include "gpu/primitives/select/passing.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::select {

static __global__ void flag_passing_kernel(PassingArgs args, std::uint32_t* flags) {
  const std::uint32_t i = global_thread();
  if (i < args.n) flags[i] = args.in[i] <= args.at_most ? 1 : 0;
}

// flags[i] = 1 if item i passes, else 0. Without items it also writes the count: then no thread of
// the last step exists to do it.
inline void flag_passing(Stream& stream, const PassingArgs& args, std::uint32_t* flags) {
  if (args.n == 0) stream.fill(args.count, 0, sizeof(*args.count));
  launch(stream, KERNEL(flag_passing_kernel), one_thread_each(args.n), args, flags);
}

}  // namespace warpview::WARPVIEW_BACKEND::select
