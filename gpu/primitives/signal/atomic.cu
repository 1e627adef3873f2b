// Flags of the standard's atomic with system scope: the same function raises a flag on either side,
// and the same function waits for it.
//
//   libcu++: cuda::atomic, thread_scope_system, wait and notify.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// `raise` and `await` are compiled for host and device. The same code means the same to a kernel
// and to a CPU thread, which is the purpose of system scope. The library's wait polls, with longer
// and longer sleeps, on the host as on the device; notify does nothing there. This wait cannot be
// cancelled, so the host relies on a kernel that makes progress.
//
// The flags lie in page-locked memory, which stays with the host, or in managed memory, whose pages
// migrate to the processor that touches them: then each handover migrates them. Managed memory
// needs a device that may access it concurrently with the host.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/atomic>
#include <new>

#include "gpu/primitives/memory/managed.h"  // managed memory
#include "gpu/primitives/signal/exchange.h"

namespace warpview::cuda {

namespace {

using AtomicBool = ::cuda::atomic<bool, ::cuda::thread_scope_system>;

__host__ __device__ inline void raise(AtomicBool& flag) {
  flag.store(true, ::cuda::memory_order_release);
  flag.notify_all();
}
__host__ __device__ inline void await(AtomicBool& flag) {
  flag.wait(false, ::cuda::memory_order_acquire);
}

struct AtomicFlag {
  AtomicBool flag;

  static __device__ void raise(AtomicFlag& own) { cuda::raise(own.flag); }
  static __device__ void wait(AtomicFlag& own) { cuda::await(own.flag); }
  static void host_raise(AtomicFlag& own) { cuda::raise(own.flag); }
  static bool host_is_up(const AtomicFlag& own) {
    return own.flag.load(::cuda::memory_order_acquire);
  }
  static void host_wait(Stream&, AtomicFlag& own) { cuda::await(own.flag); }
  static void host_lower(AtomicFlag& own) { new (&own.flag) AtomicBool(false); }
};

__global__ void __launch_bounds__(signal::threads)
    signal_atomic_kernel(signal::Line<AtomicFlag> line, SignalWay way, const std::uint32_t* in,
                         std::uint32_t* out, std::uint32_t n) {
  signal::take_part(line, way, in, out, n);
}

class ManagedMemory {
 public:
  ManagedMemory(Stream& stream, std::size_t bytes)
      : words_(stream, ceil_div(bytes, sizeof(std::uint32_t))) {
    memory::need_concurrent_access(stream, "signals in managed memory");
  }
  void* data() const { return words_.words(); }

 private:
  memory::Managed words_;
};

}  // namespace

std::unique_ptr<Prepared> signal_atomic_mapped(Stream& stream, const SignalArgs& args) {
  return std::make_unique<signal::Exchange<AtomicFlag, signal::PageLocked>>(
      stream, args, KERNEL(signal_atomic_kernel));
}

std::unique_ptr<Prepared> signal_atomic_managed(Stream& stream, const SignalArgs& args) {
  return std::make_unique<signal::Exchange<AtomicFlag, ManagedMemory>>(
      stream, args, KERNEL(signal_atomic_kernel));
}

}  // namespace warpview::cuda

#endif
