// HIP's runtime under the names that gpu/runtime/vendor_device.cu and the kernels use.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gpu/runtime/device.h"

// The runtime's function, type or constant of this name; most are spelt alike by both vendors.
#define GPU_API(name) hip##name
#define GPU_API_NAME(name) "hip" #name

namespace warpview::hip {

using GpuError = hipError_t;
using GpuStream = hipStream_t;
using GpuProperties = hipDeviceProp_t;
using GpuGraphicsResource = hipGraphicsResource_t;
inline constexpr GpuError gpu_success = hipSuccess;

inline GpuError allocate_page_locked(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocDefault);
}
inline GpuError release_page_locked(void* memory) { return hipHostFree(memory); }

// Error with the call, HIP's own words and a remedy, unless `status` is success.
void check(GpuError status, const char* call);
// The stream's handle; also makes its device the calling thread's current one.
GpuStream native(Stream& stream);

template <class... Parameters>
void launch_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                   dim3 block, std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                        native(stream)),
        name);
}

// All blocks run at once, so that they may wait for each other: at most `concurrent_blocks` of
// them.
template <class... Parameters>
void launch_concurrent_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...),
                              dim3 grid, dim3 block,
                              std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                                   native(stream)),
        name);
}
template <class... Parameters>
unsigned concurrent_blocks(Stream& stream, void (*kernel)(Parameters...), unsigned block) {
  native(stream);
  int per_multiprocessor = 0;
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(
            &per_multiprocessor, reinterpret_cast<const void*>(kernel), static_cast<int>(block), 0),
        "occupancy of a kernel");
  return static_cast<unsigned>(per_multiprocessor * stream.device().info().multiprocessors);
}

// The scope of all four is the agent (one device): kernels talk across blocks, never to the host.
template <class T>
__device__ inline T load_relaxed(const T* p) {
  return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ inline T load_acquire(const T* p) {
  return __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ inline void store_relaxed(T* p, std::type_identity_t<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ inline void store_release(T* p, std::type_identity_t<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ inline void backoff() { __builtin_amdgcn_s_sleep(1); }

}  // namespace warpview::hip
