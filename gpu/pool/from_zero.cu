// A free buffer by linear search from the first on.
//
// The pool of hashed.cu without the hash. Every warp begins at flag 0, so the first flags are
// fought over and each warp walks past all buffers that are in use: with W warps at work the search
// takes about W reads where the hash makes it one or two. What speaks for it: the buffers in use
// stay the first ones, and so few of them are in the caches. The search is in linear.h.
#include "gpu/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct AtZero {
  static constexpr const char* kernel_name = "pool_from_zero_kernel";

  __device__ static std::uint32_t at(std::uint32_t /*warp_number*/, std::uint32_t /*count*/) {
    return 0;
  }
};

}  // namespace

void pool_from_zero(Stream& stream, const PoolArgs& args, Workspace& workspace) {
  pool::reverse_stretches<pool::LinearSearch<AtZero>>(stream, args, workspace, args.buffers);
}

}  // namespace warpview::WARPVIEW_BACKEND
