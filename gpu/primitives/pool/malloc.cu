// Buffers from the device's heap: malloc and free inside a kernel.
//
// CUDA C++ Programming Guide, Dynamic Global Memory Allocation and Operations.
//
// One lane asks the heap for a buffer and tells the others its address. The heap has buffers of any
// size for whoever asks, where a pool has some of one size; that is what its search is longer for.
// How large it is must be said before the first kernel that uses it. A heap that is exhausted
// answers with null, and the warp asks again, as one of the other variants does that finds no mark
// clear: it holds nothing meanwhile, so those that hold a buffer come to give it back.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <string>

#include "gpu/primitives/pool/use.h"

namespace warpview::cuda {

namespace {

// A buffer, and behind it the mark of its owner.
constexpr std::size_t bytes_each = (pool_stretch + 1) * sizeof(std::uint32_t);

__device__ inline std::uint32_t* take_from_heap() {
  std::uint64_t address = 0;
  if (warp::lane() == 0)
    for (Spin spin;;) {
      address = reinterpret_cast<std::uint64_t>(::malloc(bytes_each));
      if (address != 0) break;
      spin.back_off();
    }
  // As a buffer of a pool may, this one may have been another warp's just before.
  if (warp::lane() == 0) __threadfence();
  address = warp::shuffle(warp::all_lanes(), address, 0);
  warp::sync(warp::all_lanes());
  return reinterpret_cast<std::uint32_t*>(address);
}

__global__ void pool_malloc_kernel(PoolArgs args) {
  if (!pool::Stretch::is_there(args)) return;
  const pool::Stretch stretch(args);
  std::uint32_t* const words = take_from_heap();
  stretch.reverse_in({words, words + pool_stretch}, 0, args);
  pool::done_with();
  if (warp::lane() == 0) ::free(words);
}

// Sees to it that the heap has room for a buffer of every warp that is resident, and as much again
// for what the heap keeps of each. Where a kernel has used the heap already it stays as it is: then
// warps may have to wait. Error where it has no room for one buffer.
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
  cudaGetLastError();  // it is told here, and no later call's
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
