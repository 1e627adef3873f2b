// Look-back flags: flag and value in two words, ordered by acquire and release fences.
//
// libcu++, cuda::atomic_thread_fence; the PTX memory model of compute capability 7.0.
//
// fence.cu and cuda_atomic.cu differ in two things: where the order is requested, beside the flag
// or at it, and how strong it is. `__threadfence()` is a sequentially consistent fence: all threads
// of the device agree on one order of all such fences. A look-back needs no such total order. This
// is fence.cu with the weaker fence, which separates the two costs.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/atomic>

#include "gpu/primitives/flags/scan.h"

namespace warpview::cuda {

namespace {

// The arrays of SplitStates, with this variant's own publishing and reading.
struct AcquireReleaseStates : block::SplitStates<std::uint32_t> {
  static AcquireReleaseStates take(Scratch& scratch, std::uint32_t tiles) {
    return {SplitStates::take(scratch, tiles)};
  }

  __device__ static void fence() {
    ::cuda::atomic_thread_fence(::cuda::std::memory_order_acq_rel, ::cuda::thread_scope_device);
  }
  __device__ void publish(std::uint32_t tile, std::uint32_t flag, std::uint32_t value) const {
    store_relaxed((flag == block::prefix_ready ? prefixes : aggregates) + tile, value);
    fence();
    store_relaxed(flags + 1 + tile, flag);
  }
  __device__ block::TileState<std::uint32_t> look(std::uint32_t tile) const {
    const std::uint32_t flag = load_relaxed(flags + 1 + tile);
    if (flag == block::not_ready) return {flag, 0};
    fence();
    return {flag, load_relaxed((flag == block::prefix_ready ? prefixes : aggregates) + tile)};
  }
};

__global__ void __launch_bounds__(scan::threads)
    flags_fence_acq_rel_kernel(flags::Arrays arrays, AcquireReleaseStates states) {
  __shared__ flags::Storage storage;
  flags::scan_tile(arrays, states, storage);
}

}  // namespace

void flags_fence_acq_rel(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  scan::in_one_pass<SumU32>(stream, args, scratch, KERNEL(flags_fence_acq_rel_kernel));
}

}  // namespace warpview::cuda

#endif
