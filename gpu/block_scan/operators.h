// The operators of the block scans. Each says how often it is applied: that is a scan's work.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block_scan {

// Counted in the counted build of the CPU device; nothing elsewhere.
__device__ inline void note_operator() {
#if defined(WARPVIEW_BACKEND_CPU)
  simt::note_operator();
#endif
}

struct SumU32 {
  using Word = std::uint32_t;
  __device__ static Word identity() { return 0; }
  __device__ static Word combine(Word before, Word after) {
    note_operator();
    return before + after;
  }
};

struct SumF32 {
  using Word = float;
  __device__ static Word identity() { return 0.0F; }
  __device__ static Word combine(Word before, Word after) {
    note_operator();
    return before + after;
  }
};

// See BlockScanOperation::compose_maps; `before` is applied first.
struct ComposeMaps {
  using Word = std::uint32_t;
  __device__ static Word identity() { return 1; }
  __device__ static Word combine(Word before, Word after) {
    note_operator();
    const Word a = (before & 0xffffU) * (after & 0xffffU);
    const Word b = (before >> 16) * (after & 0xffffU) + (after >> 16);
    return (a & 0xffffU) | b << 16;
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::block_scan
