// The device's clock, the same for all blocks.
#pragma once

#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CPU)
#include <chrono>
#endif

namespace warpview::WARPVIEW_BACKEND::schedule {

// Nanoseconds since an arbitrary moment.
__device__ inline std::uint64_t nanoseconds() {
#if defined(WARPVIEW_BACKEND_CUDA)
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
#elif defined(WARPVIEW_BACKEND_HIP)
  return __builtin_amdgcn_s_memrealtime() * 10;  // it ticks at 100 MHz
#else
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
#endif
}

// Used by one thread, for its block: records when the block is busy, and with what.
class Stretch {
 public:
  __device__ Stretch(const ScheduleTrace& trace, std::uint32_t kernel)
      : trace_(trace), kernel_(kernel) {}

  // A batch begins, and the stretch before ends. queued() returns BusyStretch::queued; it is called
  // only if stretches are recorded.
  template <class Queued>
  __device__ void begin(std::uint32_t procedure, std::uint32_t items, Queued queued) {
    if (!trace_.stretches) return;
    const std::uint64_t now = nanoseconds();
    close(now);
    const std::uint32_t place = atomicAdd(trace_.count, 1U);
    if (place >= trace_.room) return;
    open_ = place;
    trace_.stretches[place] = {now,
                               0,
                               static_cast<std::uint8_t>(kernel_),
                               static_cast<std::uint8_t>(procedure),
                               static_cast<std::uint16_t>(items),
                               queued(),
                               blockIdx.x};
  }
  __device__ void end() {
    if (open_ != none) close(nanoseconds());
  }

 private:
  static constexpr std::uint32_t none = ~0U;

  __device__ void close(std::uint64_t now) {
    if (open_ == none) return;
    BusyStretch& stretch = trace_.stretches[open_];
    const std::uint64_t passed = now - stretch.begin;
    constexpr std::uint32_t most = ~0U;  // 4.29 s: a longer stretch ends there
    stretch.nanoseconds = passed < most ? static_cast<std::uint32_t>(passed) : most;
    open_ = none;
  }

  const ScheduleTrace& trace_;
  std::uint32_t kernel_;
  // The place of the stretch that has begun: one register while a batch is executed, where its
  // address or its begin would take two.
  std::uint32_t open_ = none;
};

}  // namespace warpview::WARPVIEW_BACKEND::schedule
