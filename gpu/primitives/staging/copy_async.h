// The asynchronous copy of a stage and its barrier, for cuda.
#pragma once

#include <cooperative_groups.h>

#include <cuda/barrier>

#include "gpu/primitives/staging/tile.h"

namespace warpview::cuda::staging {

// Counts the arrivals of a block's threads, and the copies that they have started.
using Barrier = ::cuda::barrier<::cuda::thread_scope_block>;

// After this call, copies may use what this block's threads have used so far: barriers that were
// just constructed, a stage that they have read or written. The whole block calls it. A barrier
// alone does not order bulk copies with ordinary accesses: they reach shared memory through another
// proxy.
__device__ inline void hand_over_to_copies() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
}

// Starts the copy of a stage; it is complete when a phase of `arrived` ends in which every thread
// has arrived after this call. `staged` is aligned to 16 bytes, and `in` too if `aligned`. The
// whole block calls it, after hand_over_to_copies if the stage or the barrier was used before.
//
// The hardware copies the words to shared memory (compute capability 8.0 or newer: by `cp.async`
// or, where the copy engine of 9.0 can do it, in bulk), through no register and without a waiting
// thread. Ordinary stores zero the words before and after the array, and copy the rest where the
// hardware takes four words at a time.
__device__ inline void start_copy(std::uint32_t* staged, const Stage& stage,
                                  const std::uint32_t* in, std::uint32_t n, bool aligned,
                                  Barrier& arrived) {
  const std::int64_t first = stage.first < 0 ? 0 : stage.first;
  const std::int64_t end = stage.first + stage.words < n ? stage.first + stage.words : n;
  const auto before = static_cast<std::uint32_t>(first - stage.first);
  // The last tile's halo may lie entirely beyond the array, but its stage never does.
  const auto words = static_cast<std::uint32_t>(end - first);
  const std::uint32_t copied = aligned ? words / 4 * 4 : words;
  for (std::uint32_t w = threadIdx.x; w < stage.words; w += threads)
    if (w < before || w >= before + copied)
      staged[w] = w >= before && w < before + words ? in[first + (w - before)] : 0;

  const auto block = cooperative_groups::this_thread_block();
  const std::size_t bytes = copied * sizeof(std::uint32_t);
  if (bytes == 0) return;
  if (aligned)
    ::cuda::memcpy_async(block, staged + before, in + first, ::cuda::aligned_size_t<16>(bytes),
                         arrived);
  else
    ::cuda::memcpy_async(block, staged + before, in + first, ::cuda::aligned_size_t<4>(bytes),
                         arrived);
}

inline bool is_aligned(const std::uint32_t* in) {
  return reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
}

}  // namespace warpview::cuda::staging
