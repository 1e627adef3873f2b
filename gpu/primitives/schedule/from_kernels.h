// Kernels that launch kernels: what the schedulers share that do this.
//
//   CUDA C++ Programming Guide, CUDA Dynamic Parallelism.
//
// This takes relocatable device code and the device runtime library, so kernel files that include
// this header are compiled and linked separately: they are called dynamic.cu or hybrid.cu
// (gpu/CMakeLists.txt). HIP has no such feature, and the CPU device refuses a launch from a kernel.
//
// A launch from a kernel may be refused, for lack of room for pending launches or because kernels
// are nested too deeply. Nothing is lost then, because the items stay in their queues: the host,
// which reads these at the end, starts again with what is left.
#pragma once

#if !defined(WARPVIEW_BACKEND_CUDA)
#error "kernels launch kernels on cuda alone"
#endif

#include <string>

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Called by a thread of a kernel that has just launched one: returns whether it was accepted, and
// records either case.
__device__ inline bool was_launched(ScheduleStatus* status) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    atomicAdd(&status->launches, 1U);
  else
    status->launch_error = static_cast<std::uint32_t>(error);
  return error == cudaSuccess;
}

// Room for pending launches on the device of a stream, for this object's lifetime: the default of
// 2048 is soon exhausted where each block launches several. It takes device memory.
class RoomForLaunches {
 public:
  explicit RoomForLaunches(Stream& stream) : stream_(stream) {
    constexpr std::size_t wanted = 1U << 15U;
    native(stream);  // makes the device current
    check(cudaDeviceGetLimit(&before_, cudaLimitDevRuntimePendingLaunchCount),
          "cudaDeviceGetLimit");
    if (before_ < wanted)
      check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, wanted),
            "cudaDeviceSetLimit");
  }
  RoomForLaunches(const RoomForLaunches&) = delete;
  RoomForLaunches& operator=(const RoomForLaunches&) = delete;
  ~RoomForLaunches() {
    static_cast<void>(cudaStreamSynchronize(native(stream_)));
    static_cast<void>(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, before_));
  }

 private:
  Stream& stream_;
  std::size_t before_ = 0;
};

// Calls start(levels) as long as there is work. Each call must make progress: otherwise the device
// refuses to launch, and an Error says why.
template <class Application, class Start>
void until_done(const Run<Application>& run, const Queues<Application>& queues, Start start) {
  Levels<Application> levels(run, queues);
  std::uint32_t executed_before = ~0U;
  for (levels.look(); levels.any(); levels.look()) {
    const ScheduleStatus status = levels.status();
    std::uint32_t executed = 0;
    for (const std::uint32_t of_procedure : status.executed) executed += of_procedure;
    if (executed == executed_before)
      throw Error("launching kernels from a kernel",
                  std::string("the device refused: ") +
                      cudaGetErrorString(static_cast<cudaError_t>(status.launch_error)),
                  "Choose another scheduler");
    executed_before = executed;
    start(levels);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
