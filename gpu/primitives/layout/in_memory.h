// Elements in global memory, updated in place member by member.
#pragma once

#include "gpu/primitives/layout/work.h"

namespace warpview::WARPVIEW_BACKEND::layout {

// One thread per element. The loads of all members are issued before the first is waited for. The
// kernels pass a constant `layout`, so that an address takes one or two multiplications.
template <unsigned words>
__device__ inline void change_in_memory(const Work& work, Layout layout) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const auto place = [&](unsigned member) {
    return work.elements + layout_place(layout, work.n, words, i, member);
  };
  if (!work.all) {
    *place(words - 1) = changed(*place(words - 1), work.rounds);
    return;
  }
  std::uint32_t member[words];
  UNROLL
  for (unsigned m = 0; m < words; ++m) member[m] = *place(m);
  UNROLL
  for (unsigned m = 0; m < words; ++m) *place(m) = changed(member[m], work.rounds);
}

}  // namespace warpview::WARPVIEW_BACKEND::layout
