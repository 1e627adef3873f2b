// What the hash tables share: from each corner's slot to the first of its equal corners.
#pragma once

#include <cstdint>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// One thread per corner: replaces its slot, in place, by the first corner equal to it, and records
// whether that is the corner itself (never for padding). The low 32 bits of a slot are the index of
// the first corner it stands for.
template <class Slot>
__global__ void find_firsts_kernel(const std::uint32_t* __restrict__ count, std::uint32_t n,
                                   const Slot* __restrict__ table, std::uint32_t* slot_of,
                                   std::uint32_t* __restrict__ is_first) {
  const std::uint32_t corner = global_thread();
  if (corner >= n) return;
  if (corner >= *count) {
    is_first[corner] = 0;
    return;
  }
  const auto first = static_cast<std::uint32_t>(table[slot_of[corner]]);
  slot_of[corner] = first;
  is_first[corner] = first == corner ? 1 : 0;
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
