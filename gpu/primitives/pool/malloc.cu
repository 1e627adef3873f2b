// Buffers from the device's heap: malloc and free inside a kernel.
//
// CUDA C++ Programming Guide, Dynamic Global Memory Allocation and Operations.
//
// One lane requests a buffer from the heap and broadcasts its address. The heap serves buffers of
// any size, where a pool has some of one size; its search takes longer for that. Its size must be
// set before the first kernel that uses it. An exhausted heap returns null, and the warp tries
// again, as in the other variants when no mark is clear. It holds nothing meanwhile, so the warps
// that hold a buffer get to give it back.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <string>

#include "gpu/primitives/pool/use.h"

namespace warpview::cuda {

namespace {

// A buffer, followed by the mark of its owner.
constexpr std::size_t bytes_each = (pool_stretch + 1) * sizeof(std::uint32_t);

__device__ inline std::uint32_t* take_from_heap() {
  std::uint64_t address = 0;
  if (warp::lane() == 0)
    for (Spin spin;;) {
      address = reinterpret_cast<std::uint64_t>(::malloc(bytes_each));
      if (address != 0) break;
      spin.back_off();
    }
  // Another warp may have owned this buffer just before, as with a pool.
  if (warp::lane() == 0) __threadfence();
  address = warp::shuffle(warp::all_lanes(), address, 0);
  warp::sync(warp::all_lanes());
  return reinterpret_cast<std::uint32_t*>(address);
}

__global__ void pool_malloc_kernel(PoolArgs args) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  std::uint32_t* const words = take_from_heap();
  stretch.reverse_in({words, words + pool_stretch}, 0, args);
  pool::done_with();
  if (warp::lane() == 0) ::free(words);
}

// Ensures that the heap has room for a buffer of every resident warp, and as much again for the
// heap's own data. If a kernel has already used the heap, its size stays as it is; warps may then
// have to wait. Throws Error where it has no room for one buffer.
void reserve_heap(Stream& stream) {
  native(stream);  // makes the device current
  const DeviceInfo& device = stream.device().info();
  int threads_each = 0;
  check(cudaDeviceGetAttribute(&threads_each, cudaDevAttrMaxThreadsPerMultiProcessor, device.index),
        "cudaDeviceGetAttribute");
  const auto warps =
      static_cast<std::size_t>(device.multiprocessors) * threads_each / device.warp_size;
  std::size_t heap = 0;
  check(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize), "cudaDeviceGetLimit");
  if (heap >= 2 * warps * bytes_each) return;
  if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * warps * bytes_each) == cudaSuccess) return;
  cudaGetLastError();  // clears the error: it is reported here, not by a later call
  if (heap < bytes_each)
    throw Error("buffers from the device's heap", "it has " + std::to_string(heap) + " bytes",
                "Choose pool=hashed");
}

}  // namespace

void pool_malloc(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  if (args.n > pool_malloc_words)
    throw Error("buffers from the device's heap for " + std::to_string(args.n) + " words",
                "it is asked for " + std::to_string(pool_malloc_words) + " at most",
                "Choose pool=hashed");
  if (scratch.measuring()) return reserve_heap(stream);
  stream.fill(args.clashes, 0, sizeof(std::uint32_t));
  launch(stream, KERNEL(pool_malloc_kernel), pool::one_warp_each(stream, args.n), args);
}

}  // namespace warpview::cuda

#endif
