// A buffer for every warp of the launch: no pool, and the baseline of the others.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Parallel pool allocator.
//
// The warp's index is the index of its buffer. There is no search, no wait and no contention: the
// extra time of the others is the price of sharing. This one pays with memory, for as many buffers
// as the launch has warps, of which a device runs several thousand at a time.
#include "gpu/primitives/pool/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void pool_per_warp_kernel(PoolArgs args, pool::Buffers buffers,
                                     std::uint32_t* /*no_marks*/) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  stretch.reverse_in(buffers, stretch.warp_number, args);
}

}  // namespace

void pool_per_warp(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  PoolArgs for_all = args;
  for_all.buffers = pool::stretches_of(args.n);
  pool::with_pool(stream, for_all, scratch, 0, KERNEL(pool_per_warp_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
