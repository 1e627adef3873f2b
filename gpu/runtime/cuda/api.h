// CUDA's runtime under the names that gpu/runtime/vendor_device.cu and the kernels use.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gpu/runtime/device.h"

// The runtime's function, type or constant of this name; most are spelt alike by both vendors.
#define GPU_API(name) cuda##name
#define GPU_API_NAME(name) "cuda" #name

namespace warpview::cuda {

using GpuError = cudaError_t;
using GpuStream = cudaStream_t;
using GpuProperties = cudaDeviceProp;
using GpuGraphicsResource = cudaGraphicsResource_t;
inline constexpr GpuError gpu_success = cudaSuccess;
inline constexpr auto max_threads_per_multiprocessor = cudaDevAttrMaxThreadsPerMultiProcessor;
inline constexpr auto max_shared_memory_per_block = cudaDevAttrMaxSharedMemoryPerBlockOptin;

inline GpuError allocate_page_locked(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}
inline GpuError release_page_locked(void* memory) { return cudaFreeHost(memory); }

// Error with the call, CUDA's own words and a remedy, unless `status` is success.
void check(GpuError status, const char* call);
// The stream's handle; also makes its device the calling thread's current one.
GpuStream native(Stream& stream);

#if defined(__CUDACC__)
// The scope of all four is the device (".gpu"): kernels talk across blocks, never to the host.
#define PTX_MEMORY(type, constraint, suffix)                                                     \
  __device__ inline type load_relaxed(const type* p) {                                           \
    type v;                                                                                      \
    asm volatile("ld.relaxed.gpu." suffix " %0, [%1];" : "=" constraint(v) : "l"(p) : "memory"); \
    return v;                                                                                    \
  }                                                                                              \
  __device__ inline type load_acquire(const type* p) {                                           \
    type v;                                                                                      \
    asm volatile("ld.acquire.gpu." suffix " %0, [%1];" : "=" constraint(v) : "l"(p) : "memory"); \
    return v;                                                                                    \
  }                                                                                              \
  __device__ inline void store_relaxed(type* p, type v) {                                        \
    asm volatile("st.relaxed.gpu." suffix " [%0], %1;" ::"l"(p), constraint(v) : "memory");      \
  }                                                                                              \
  __device__ inline void store_release(type* p, type v) {                                        \
    asm volatile("st.release.gpu." suffix " [%0], %1;" ::"l"(p), constraint(v) : "memory");      \
  }
PTX_MEMORY(std::uint32_t, "r", "u32")
PTX_MEMORY(std::uint64_t, "l", "u64")
#undef PTX_MEMORY

__device__ inline void backoff() { __nanosleep(32); }

// Programmatic dependent launch, where the code is for GPUs that have it: launch_early() in
// gpu/runtime/kernel.h.
__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ inline void let_launch_behind_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// CUDA declares its 64-bit atomics for unsigned long long; std::uint64_t is unsigned long.
using ::atomicAdd;
using ::atomicCAS;
using ::atomicExch;
using ::atomicMax;
using ::atomicMin;
__device__ inline std::uint64_t atomicAdd(std::uint64_t* p, std::uint64_t v) {
  return ::atomicAdd(reinterpret_cast<unsigned long long*>(p), v);
}
__device__ inline std::uint64_t atomicCAS(std::uint64_t* p, std::uint64_t old, std::uint64_t v) {
  return ::atomicCAS(reinterpret_cast<unsigned long long*>(p), old, v);
}
__device__ inline std::uint64_t atomicExch(std::uint64_t* p, std::uint64_t v) {
  return ::atomicExch(reinterpret_cast<unsigned long long*>(p), v);
}
__device__ inline std::uint64_t atomicMax(std::uint64_t* p, std::uint64_t v) {
  return ::atomicMax(reinterpret_cast<unsigned long long*>(p), v);
}
__device__ inline std::uint64_t atomicMin(std::uint64_t* p, std::uint64_t v) {
  return ::atomicMin(reinterpret_cast<unsigned long long*>(p), v);
}
#endif

}  // namespace warpview::cuda
