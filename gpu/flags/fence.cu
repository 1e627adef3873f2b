// Look-back flags: flag and value apart, in order by fences.
//
// CUDA C++ Programming Guide, Memory Fence Functions.
//
// The value goes to one array, the flag to another. The writer puts __threadfence() between them:
// whoever sees the flag and passes a fence of his own sees the value. Both fences are needed. The
// writer's keeps its two stores in order; the reader's keeps its two loads in order, as it could
// otherwise use a value it had fetched before it saw the flag.
//
// Neither the flag nor the value may be an ordinary access, because the other side accesses it at
// the same time. What old code writes as `volatile` are relaxed loads and stores here: they go to
// memory each time and are never torn. A fence orders everything the thread did before, not just
// the value, and so may cost more than the release of one flag (cuda_atomic.cu). Values may have
// any size, if they are read word by word.

#include "gpu/scan/one_pass.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The arrays of SplitStates; publishing and looking are its own.
struct FencedStates : scan::SplitStates<std::uint32_t> {
  static FencedStates take(Workspace& workspace, std::uint32_t tiles) {
    return {SplitStates::take(workspace, tiles)};
  }

  __device__ void publish(std::uint32_t tile, std::uint32_t flag, std::uint32_t value) const {
    store_relaxed((flag == scan::prefix_ready ? prefixes : aggregates) + tile, value);
    __threadfence();
    store_relaxed(flags + 1 + tile, flag);
  }
  __device__ scan::TileState<std::uint32_t> look(std::uint32_t tile) const {
    const std::uint32_t flag = load_relaxed(flags + 1 + tile);
    if (flag == scan::not_ready) return {flag, 0};
    __threadfence();
    return {flag, load_relaxed((flag == scan::prefix_ready ? prefixes : aggregates) + tile)};
  }
};

}  // namespace

void flags_fence(Stream& stream, const ScanArgs& args, Workspace& workspace) {
  scan::one_pass<SumU32, scan::WarpLooksBack, FencedStates>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
