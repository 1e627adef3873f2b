// Look-back flags: flag and value in two words, ordered by fences.
//
// CUDA C++ Programming Guide, Memory Fence Functions.
//
// The value goes to one array, the flag to another. The writer executes __threadfence() between the
// two stores. A reader that sees the flag and then executes a fence sees the value. Both fences are
// needed. The writer's keeps its two stores in order. The reader's keeps its two loads in order:
// without it, the reader could use a value that it fetched before it saw the flag.
//
// Neither the flag nor the value may be an ordinary access, because the other side accesses it at
// the same time. Where old code writes `volatile`, this code uses relaxed loads and stores: they go
// to memory each time and are never torn. A fence orders everything the thread did before, not just
// the value, and so may cost more than the release of one flag (cuda_atomic.cu). Values may have
// any size, if they are read word by word.

#include "gpu/primitives/flags/scan.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The arrays of SplitStates, with this variant's own publishing and reading.
struct FencedStates : block::SplitStates<std::uint32_t> {
  static FencedStates take(Scratch& scratch, std::uint32_t tiles) {
    return {SplitStates::take(scratch, tiles)};
  }

  __device__ void publish(std::uint32_t tile, std::uint32_t flag, std::uint32_t value) const {
    store_relaxed((flag == block::prefix_ready ? prefixes : aggregates) + tile, value);
    __threadfence();
    store_relaxed(flags + 1 + tile, flag);
  }
  __device__ block::TileState<std::uint32_t> look(std::uint32_t tile) const {
    const std::uint32_t flag = load_relaxed(flags + 1 + tile);
    if (flag == block::not_ready) return {flag, 0};
    __threadfence();
    return {flag, load_relaxed((flag == block::prefix_ready ? prefixes : aggregates) + tile)};
  }
};

__global__ void __launch_bounds__(scan::threads)
    flags_fence_kernel(flags::Arrays arrays, FencedStates states) {
  __shared__ flags::Storage storage;
  flags::scan_tile(arrays, states, storage);
}

}  // namespace

void flags_fence(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  scan::in_one_pass<SumU32>(stream, args, scratch, KERNEL(flags_fence_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
