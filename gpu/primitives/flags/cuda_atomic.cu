// Look-back flags: flag and value in two words, ordered by release and acquire.
//
// libcu++, cuda::atomic_ref; the PTX memory model of compute capability 7.0.
//
// The arrays are those of fence.cu; only the ordering differs. The flag is stored with `release`:
// a thread that loads that flag with `acquire` sees everything the writer wrote before. The order
// is tied to the flag. The value itself is an ordinary load and an ordinary store, since the flag
// grants access to it. The scope is named too: only threads of this device take part, so that
// nothing is flushed for the host.
//
// SplitStates of gpu/block/lookback.h gives the same order without the library, by load_acquire and
// store_release.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/atomic>

#include "gpu/primitives/flags/scan.h"

namespace warpview::cuda {

namespace {

// The arrays of SplitStates, with this variant's own publishing and reading.
struct AtomicStates : block::SplitStates<std::uint32_t> {
  using Flag = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;

  static AtomicStates take(Scratch& scratch, std::uint32_t tiles) {
    return {SplitStates::take(scratch, tiles)};
  }

  __device__ void publish(std::uint32_t tile, std::uint32_t flag, std::uint32_t value) const {
    (flag == block::prefix_ready ? prefixes : aggregates)[tile] = value;
    Flag(flags[1 + tile]).store(flag, ::cuda::std::memory_order_release);
  }
  __device__ block::TileState<std::uint32_t> look(std::uint32_t tile) const {
    const std::uint32_t flag = Flag(flags[1 + tile]).load(::cuda::std::memory_order_acquire);
    if (flag == block::not_ready) return {flag, 0};
    return {flag, (flag == block::prefix_ready ? prefixes : aggregates)[tile]};
  }
};

__global__ void __launch_bounds__(scan::threads)
    flags_cuda_atomic_kernel(flags::Arrays arrays, AtomicStates states) {
  __shared__ flags::Storage storage;
  flags::scan_tile(arrays, states, storage);
}

}  // namespace

void flags_cuda_atomic(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  scan::in_one_pass<SumU32>(stream, args, scratch, KERNEL(flags_cuda_atomic_kernel));
}

}  // namespace warpview::cuda

#endif
