// The work between the transfers (memory.h).
#pragma once

#include <string>

#include "gpu/primitives/memory/memory.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND::memory {

// `in` may be `out`.
static __global__ void triple_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                                     std::uint32_t added) {
  const std::uint32_t i = global_thread();
  if (i < n) out[i] = 3 * in[i] + added;
}

inline void launch_triple(Stream& stream, const std::uint32_t* in, std::uint32_t* out,
                          std::uint32_t n, std::uint32_t added = 1) {
  launch(stream, KERNEL(triple_kernel), one_thread_each(n), in, out, n, added);
}

// Refuses what a variant with these traits cannot do.
inline void check_task(const MemoryArgs& args, unsigned traits) {
  const bool is_turns = args.task == MemoryTask::turns;
  const bool can = args.task == MemoryTask::round_trip
                       ? (traits & MemoryTrait::only_turns) == 0
                       : (traits & MemoryTrait::takes_turns) != 0 ||
                             (is_turns && (traits & MemoryTrait::only_turns) != 0);
  if (!can)
    throw Error(
        "words that host and device use otherwise than this variant does",
        "it does " + std::string((traits & MemoryTrait::only_turns) != 0 ? "nothing but turns"
                                                                         : "round trips alone"),
        "Choose another variant, pinned for one");
  if (args.advice != MemoryAdvice::none && (traits & MemoryTrait::advised) == 0)
    throw Error("advice for pages that do not move", "this variant takes none",
                "Choose the variant managed");
}

}  // namespace warpview::WARPVIEW_BACKEND::memory
