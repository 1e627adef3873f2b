// The copy engine of an SM: it copies a stretch of global memory into shared memory by itself,
// through no register and without a thread that waits. From compute capability 9.0 on.
//
// CUDA C++ Programming Guide, Asynchronous Data Copies; PTX ISA, cp.async.bulk and mbarrier.
#pragma once

#include <cstdint>

#include "gpu/runtime/cuda/api.h"

namespace warpview::cuda {

#if __CUDA_ARCH__ >= 900
inline constexpr bool has_bulk_copies = true;
#else
inline constexpr bool has_bulk_copies = false;
#endif

// A word of shared memory (mbarrier) that signals when a copy has arrived. Its phases are numbered
// from 0; each ends when the bytes that its one arrival announced have arrived.
class BulkBarrier {
 public:
  // Called by one thread, before a barrier of the block.
  __device__ void begin() {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;\n"
        "fence.mbarrier_init.release.cluster;" ::"r"(address(&word_))
        : "memory");
#endif
  }
  // Starts the copy of the next phase, called by one thread: `bytes`, `to` and `from` are multiples
  // of 16. A barrier of the block separates it from earlier uses of that shared memory.
  __device__ void copy([[maybe_unused]] void* to, [[maybe_unused]] const void* from,
                       [[maybe_unused]] std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
    // Ordinary accesses to shared memory use another path (proxy) than copies: a fence orders them.
    asm volatile(
        "fence.proxy.async.shared::cta;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %3;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], %3, [%0];" ::
            "r"(address(&word_)),
        "r"(address(to)), "l"(from), "r"(bytes)
        : "memory");
#endif
  }
  // Returns when a phase has ended; called by any thread. No phase is skipped.
  __device__ void wait([[maybe_unused]] unsigned phase) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n"
        "  .reg .pred arrived;\n"
        "again:\n"
        "  mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n"
        "  @!arrived bra again;\n"
        "}" ::"r"(address(&word_)),
        "r"(phase % 2)
        : "memory");
#endif
  }

 private:
  __device__ static std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }

  std::uint64_t word_;
};

}  // namespace warpview::cuda
