// A free buffer by linear search from the first on.
//
// The pool of hashed.cu without the hash. Every warp begins at flag 0, so the first flags are
// fought over and each warp walks past all buffers that are in use: with W warps at work the search
// takes about W reads where the hash makes it one or two. What speaks for it: the buffers in use
// stay the first ones, and so few of them are in the caches. The search is in linear.h.
#include "gpu/primitives/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void pool_from_zero_kernel(PoolArgs args, pool::Buffers buffers, std::uint32_t* flags) {
  if (!pool::Stretch::is_there(args)) return;
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
