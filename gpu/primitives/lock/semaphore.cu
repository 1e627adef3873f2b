// A lock from the library: the binary semaphore of libcu++.
//
//   CUDA C++ Core Libraries, libcu++: cuda::binary_semaphore.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is the standard's std::binary_semaphore with a scope: `thread_scope_device` declares that it
// is shared within one device, which saves the fences for the host. The names contain acquire and
// release: the library places the fences, and backs off longer and longer while it waits. It waits
// in a loop that ends when the semaphore is acquired, as independent.cu does, and therefore needs
// independent thread scheduling.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/semaphore>
#include <new>

#include "gpu/primitives/lock/critical.h"

namespace warpview::cuda {

namespace {

using Semaphore = ::cuda::binary_semaphore<::cuda::thread_scope_device>;

__global__ void make_semaphores_kernel(Semaphore* semaphores, std::uint32_t count) {
  const std::uint32_t i = global_thread();
  if (i < count) new (&semaphores[i]) Semaphore(1);  // free: one thread may enter
}

__global__ void tally_semaphore_kernel(LockArgs args, Semaphore* semaphores) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t item = args.items[i];
  const std::uint32_t t = item % args.tally_count;

  semaphores[t].acquire();
  lock::add(args.tallies[t], item);
  semaphores[t].release();
}

}  // namespace

void lock_semaphore(Stream& stream, const LockArgs& args, Scratch& scratch) {
  auto* semaphores = scratch.take<Semaphore>(args.tally_count, "semaphores");
  if (scratch.measuring()) return;
  launch(stream, KERNEL(make_semaphores_kernel), one_thread_each(args.tally_count), semaphores,
         args.tally_count);
  launch(stream, KERNEL(tally_semaphore_kernel), one_thread_each(args.n), args, semaphores);
}

}  // namespace warpview::cuda

#endif
