// Flags in page-locked memory, by loads and stores with acquire and release at system scope.
//
//   CUDA C++ Programming Guide, Mapped Memory; Memory Fence Functions.
//   PTX ISA, Memory Consistency Model: scopes and orders.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// Page-locked memory lies in host memory, and the device accesses it over the bus. A flag is a word
// that one side stores with release and the other loads with acquire. Its scope distinguishes it
// from a flag between blocks: an access with device scope would be ordered for threads on the
// device only.

#include "gpu/primitives/signal/exchange.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct SystemFlag {
  std::uint32_t word;

  // On the device.
  static __device__ void raise(SystemFlag& flag) { store(&flag.word, 1U); }
  static __device__ void wait(SystemFlag& flag) {
    for (Spin spin; load(&flag.word) == 0;) spin.back_off();
  }

  // On the host.
  static void host_raise(SystemFlag& flag) { __atomic_store_n(&flag.word, 1U, __ATOMIC_RELEASE); }
  static bool host_is_up(const SystemFlag& flag) {
    return __atomic_load_n(&flag.word, __ATOMIC_ACQUIRE) != 0;
  }
  static void host_lower(SystemFlag& flag) { __atomic_store_n(&flag.word, 0U, __ATOMIC_RELAXED); }

 private:
#if defined(WARPVIEW_BACKEND_CUDA)
  static __device__ std::uint32_t load(const std::uint32_t* word) {
    std::uint32_t value;
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
  }
  static __device__ void store(std::uint32_t* word, std::uint32_t value) {
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  }
#elif defined(WARPVIEW_BACKEND_HIP)
  static __device__ std::uint32_t load(const std::uint32_t* word) {
    return __hip_atomic_load(word, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  }
  static __device__ void store(std::uint32_t* word, std::uint32_t value) {
    __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  }
#else
  static std::uint32_t load(const std::uint32_t* word) { return load_acquire(word); }
  static void store(std::uint32_t* word, std::uint32_t value) { store_release(word, value); }
#endif

#if !defined(WARPVIEW_BACKEND_CPU)
 public:
  // A kernel that failed raises no flag, so the host checks now and then whether it still runs.
  static void host_wait(Stream& stream, const SystemFlag& flag) {
    constexpr std::uint32_t often = 1U << 20U;
    for (std::uint32_t looks = 1; !host_is_up(flag); ++looks) {
      if (looks % often != 0) continue;
      const GpuError status = GPU_API(StreamQuery)(native(stream));
      if (status == GPU_API(ErrorNotReady)) continue;
      check(status, "waiting for a message from a kernel");
      if (!host_is_up(flag))
        throw Error("a message from a kernel", "the kernel has ended and has not sent it", "");
    }
  }
#endif
};

__global__ void __launch_bounds__(signal::threads)
    signal_mapped_kernel(signal::Line<SystemFlag> line, SignalWay way, const std::uint32_t* in,
                         std::uint32_t* out, std::uint32_t n) {
  signal::take_part(line, way, in, out, n);
}

}  // namespace

std::unique_ptr<Prepared> signal_mapped(Stream& stream, const SignalArgs& args) {
  return std::make_unique<signal::Exchange<SystemFlag, signal::PageLocked>>(
      stream, args, KERNEL(signal_mapped_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
