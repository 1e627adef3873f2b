// HIP's runtime under the names that gpu/runtime/vendor_device.cu and the kernels use.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gpu/runtime/device.h"

namespace warpview::hip {

using GpuError = hipError_t;
using GpuStream = hipStream_t;
inline constexpr GpuError gpu_success = hipSuccess;

// Error with the call, HIP's own words and a remedy, unless `status` is success.
void check(GpuError status, const char* call);
GpuStream native(Stream& stream);

template <class... Parameters>
void launch_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                   dim3 block, std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                        native(stream)),
        name);
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

// HIP declares its 64-bit atomics for unsigned long long; std::uint64_t is unsigned long.
__device__ inline std::uint64_t atomicAdd(std::uint64_t* p, std::uint64_t v) {
  return ::atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v));
}
__device__ inline std::uint64_t atomicCAS(std::uint64_t* p, std::uint64_t old, std::uint64_t v) {
  return ::atomicCAS(reinterpret_cast<unsigned long long*>(p),
                     static_cast<unsigned long long>(old), static_cast<unsigned long long>(v));
}
using ::atomicAdd;
using ::atomicCAS;

}  // namespace warpview::hip
