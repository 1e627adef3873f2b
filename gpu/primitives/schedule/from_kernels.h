// Kernels that launch kernels: what the schedulers share that do so.
//
//   CUDA C++ Programming Guide, CUDA Dynamic Parallelism.
//
// It takes relocatable device code and the device's runtime library, so kernel files that include
// this are compiled and linked apart from all others: they are called dynamic.cu or hybrid.cu
// (gpu/CMakeLists.txt). There is no such thing on HIP, and the CPU device refuses a launch from a
// kernel.
//
// A launch from a kernel may be refused, for want of room for what is to start or where kernels are
// nested too deeply. Nothing is lost then, for the items wait in their queues: the host, which
// looks at these when all is done, starts again with what is left.
#pragma once

#if !defined(WARPVIEW_BACKEND_CUDA)
#error "kernels launch kernels on cuda alone"
#endif

#include <string>

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// By a thread of a kernel that has just launched one: was it accepted? Notes either.
__device__ inline bool was_launched(ScheduleStatus* status) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    atomicAdd(&status->launches, 1U);
  else
    status->launch_error = static_cast<std::uint32_t>(error);
  return error == cudaSuccess;
}

// Room for launches that have not begun, on the device of a stream, as long as this lives: the
// 2048 that there are by default are soon full where each block launches some. It takes memory of
// the device.
class RoomForLaunches {
 public:
  explicit RoomForLaunches(Stream& stream) : stream_(stream) {
    constexpr std::size_t wanted = 1U << 15U;
    native(stream);  // makes its device the current one
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

// Calls start(levels) as long as there is work. Each call must do some: where none was done, the
// device refuses to launch, and an Error says why.
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
