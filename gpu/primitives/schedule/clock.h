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

// Used by one thread, for its block: records when the block is busy.
class Stretch {
 public:
  __device__ Stretch(const ScheduleTrace& trace, std::uint32_t kernel)
      : trace_(trace), kernel_(kernel) {}

  __device__ void begin() {
    if (!trace_.stretches || begun_ != 0) return;
    begun_ = nanoseconds();
  }
  __device__ void end() {
    if (begun_ == 0) return;
    const std::uint32_t place = atomicAdd(trace_.count, 1U);
    const std::uint64_t passed = nanoseconds() - begun_;
    constexpr std::uint32_t most = ~0U;  // 4.29 s: a longer stretch ends there
    if (place < trace_.room)
      trace_.stretches[place] = {begun_, passed < most ? static_cast<std::uint32_t>(passed) : most,
                                 kernel_};
    begun_ = 0;
  }

 private:
  const ScheduleTrace& trace_;
  std::uint32_t kernel_;
  std::uint64_t begun_ = 0;
};

}  // namespace warpview::WARPVIEW_BACKEND::schedule
