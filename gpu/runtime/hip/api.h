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
inline constexpr auto max_threads_per_multiprocessor =
    hipDeviceAttributeMaxThreadsPerMultiProcessor;
inline constexpr auto max_shared_memory_per_block = hipDeviceAttributeMaxSharedMemoryPerBlock;

inline GpuError allocate_page_locked(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocDefault);
}
inline GpuError release_page_locked(void* memory) { return hipHostFree(memory); }

// Error with the call, HIP's own words and a remedy, unless `status` is success.
void check(GpuError status, const char* call);
// The stream's handle; also makes its device the calling thread's current one.
GpuStream native(Stream& stream);

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
// Launches are serialized.
__device__ inline void wait_for_launch_before() {}
__device__ inline void let_launch_behind_begin() {}

}  // namespace warpview::hip
