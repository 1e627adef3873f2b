// Finds a free buffer by linear search from the first.
//
// This is the pool of hashed.cu without the hash. Every warp starts at flag 0: all contend for the
// first flags, and each warp passes all buffers in use. With W active warps the search takes about
// W reads, where the hash makes it one or two. Its advantage: the buffers in use stay the first
// ones, so that few of them occupy the caches. The search is in linear.h.
#include "gpu/primitives/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void pool_from_zero_kernel(PoolArgs args, pool::Buffers buffers, std::uint32_t* flags) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  const std::uint32_t buffer = pool::take_from(0, flags, args.buffers);
  stretch.reverse_in(buffers, buffer, args);
  pool::give_back(flags, buffer);
}

}  // namespace

void pool_from_zero(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  pool::with_pool(stream, args, scratch, args.buffers, KERNEL(pool_from_zero_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
