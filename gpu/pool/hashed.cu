// A free buffer by linear search from the warp's own place on.
//
// Course GPU Programming Primitives for Computer Graphics, SIGGRAPH Asia 2023.
//
// A flag a buffer says whether it is taken. A warp begins its search at the hash of its own number,
// so warps that start at the same time begin in different places, and with enough buffers the first
// flag that a warp looks at is its. With fewer buffers than warps it goes on from flag to flag,
// round and round, until somebody gives one back. The search is in linear.h.
#include "gpu/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct AtHash {
  static constexpr const char* kernel_name = "pool_hashed_kernel";

  __device__ static std::uint32_t at(std::uint32_t warp_number, std::uint32_t count) {
    return pool::hashed(warp_number, count);
  }
};

}  // namespace

void pool_hashed(Stream& stream, const PoolArgs& args, Workspace& workspace) {
  pool::reverse_stretches<pool::LinearSearch<AtHash>>(stream, args, workspace, args.buffers);
}

}  // namespace warpview::WARPVIEW_BACKEND
