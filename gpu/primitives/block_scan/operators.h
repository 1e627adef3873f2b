// The operators of the block scans. Each counts its applications, which measure a scan's work.
#pragma once

#include "gpu/operators/affine.h"
#include "gpu/operators/numbers.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block_scan {

// Counted in the counted build of the CPU device; nothing elsewhere.
__device__ inline void note_operator() {
#if defined(WARPVIEW_BACKEND_CPU)
  simt::note_operator();
#endif
}

template <class Operator>
struct Counted : Operator {
  using Type = typename Operator::Type;

  __device__ static Type combine(Type before, Type after) {
    note_operator();
    return Operator::combine(before, after);
  }
};

using SumU32 = Counted<warpview::SumU32>;
using SumF32 = Counted<warpview::SumF32>;
using ComposeMaps = Counted<warpview::ComposeMaps>;  // BlockScanOperation::compose_maps

}  // namespace warpview::WARPVIEW_BACKEND::block_scan
