// Finds a free buffer by linear search from a hash of the warp's index.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Parallel pool allocator.
//
// One flag per buffer says whether it is taken. A warp starts its search at a hash of its index, so
// that concurrent warps start at different places; with enough buffers the first flag that a warp
// reads is free. With fewer buffers than warps it goes from flag to flag, wrapping around, until
// another warp gives one back. The search is in linear.h.
#include "gpu/primitives/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void pool_hashed_kernel(PoolArgs args, pool::Buffers buffers, std::uint32_t* flags) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  const std::uint32_t begin = pool::hashed(stretch.warp_number, args.buffers);
  const std::uint32_t buffer = pool::take_from(begin, flags, args.buffers);
  stretch.reverse_in(buffers, buffer, args);
  pool::give_back(flags, buffer);
}

}  // namespace

void pool_hashed(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  pool::with_pool(stream, args, scratch, args.buffers, KERNEL(pool_hashed_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
