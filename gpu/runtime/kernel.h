// The portability header: kernels are written in HIP's C++ kernel language and compiled three
// times, by nvcc (WARPVIEW_BACKEND = cuda), hipcc (hip) and the host compiler over gpu/simt (cpu).
// This is the one place where the three differ in how a kernel is launched and how memory is
// ordered; gpu/warp/warp.h is the one place for the operations of a warp.
//
// Everything a backend compiles lives in namespace warpview::WARPVIEW_BACKEND, so the three can be
// linked into one program.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/runtime/device.h"
#include "gpu/runtime/scratch.h"
#include "gpu/runtime/tile_extent.h"
#include "gpu/runtime/vec.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#define WARPVIEW_BACKEND cuda
#include "gpu/runtime/cuda/api.h"
#include "gpu/runtime/vendor_launch.h"
#elif defined(WARPVIEW_BACKEND_HIP)
#define WARPVIEW_BACKEND hip
#include "gpu/runtime/hip/api.h"
#include "gpu/runtime/vendor_launch.h"
#elif defined(WARPVIEW_BACKEND_CPU)
#if !defined(WARPVIEW_BACKEND)  // tests run modified kernels beside the original ones
#define WARPVIEW_BACKEND cpu
#endif
#include "gpu/simt/language.h"
#else
#error "compile kernel files with one of WARPVIEW_BACKEND_CUDA, _HIP or _CPU defined"
#endif

// Precedes a loop over an array that should stay in registers, which only allow constant indices.
// And precedes a loop of which `n` iterations at a time should be in flight, and no more, to save
// registers.
#if defined(WARPVIEW_BACKEND_CPU)
#define UNROLL
#define UNROLL_BY(n)
#else
#define WARPVIEW_PRAGMA(words) _Pragma(#words)
#define UNROLL _Pragma("unroll")
#define UNROLL_BY(n) WARPVIEW_PRAGMA(unroll n)
#endif

// Precedes a kernel that is launched with at most `threads` threads: bounds its registers, so that
// an SM can hold `blocks` of its blocks, or as many as it has threads for. On hip the compiler
// decides: the second number counts warps there, and how many an architecture holds differs.
#if defined(WARPVIEW_BACKEND_CUDA)
// Threads that an SM holds: CUDA C++ Programming Guide, technical specifications per compute
// capability. The host's pass evaluates it too, and takes the most.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || \
    (__CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1100)
#define RESIDENT_THREADS 2048
#elif __CUDA_ARCH__ == 750
#define RESIDENT_THREADS 1024
#else
#define RESIDENT_THREADS 1536
#endif
#define RESIDENT_BLOCKS(threads, blocks) \
  __launch_bounds__(                     \
      threads, (blocks) * (threads) > RESIDENT_THREADS ? RESIDENT_THREADS / (threads) : (blocks))
#else
#define RESIDENT_BLOCKS(threads, blocks) __launch_bounds__(threads)
#endif

namespace warpview::WARPVIEW_BACKEND {

// a / b, rounded up, for a >= 0 and b > 0; it never overflows, whatever a is.
template <class T>
HOST_DEVICE constexpr T ceil_div(T a, T b) {
  return a / b + (a % b != 0);
}

// Prefetches the cache line (128 bytes) at a readable address, for any later reader; no thread
// waits for it. Does nothing except on cuda.
template <class T>
__device__ void prefetch([[maybe_unused]] const T* address) {
#if defined(WARPVIEW_BACKEND_CUDA)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

// A launch shape: `grid` blocks of `block` threads. A grid of 0 blocks launches nothing.
// `large_shared` is the size of the kernel's LARGE_SHARED variable, 0 if it has none.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t large_shared;

  Shape(dim3 grid_, dim3 block_, std::size_t large_shared_ = 0)
      : grid(grid_), block(block_), large_shared(large_shared_) {}
};

// In a kernel, instead of `__shared__ Type name;`: one variable that may be larger than the 48 KiB
// which cuda gives a block by default. The launch passes its size,
//
//     launch(stream, KERNEL(tile_kernel), Shape(tiles, threads, sizeof(Storage)), ...);
//
// as cuda then requires. The type needs no constructor; it is aligned to 128 bytes.
#if defined(WARPVIEW_BACKEND_CUDA)
#define LARGE_SHARED(Type, name)                                 \
  extern __shared__ __align__(128) unsigned char large_shared[]; \
  Type& name = *reinterpret_cast<Type*>(large_shared)
#else
#define LARGE_SHARED(Type, name) __shared__ Type name
#endif

// Blocks of `block` threads, enough to give each of n items one thread.
inline Shape one_thread_each(std::uint32_t n, unsigned block = tile_extent(256, 64)) {
  return {dim3(ceil_div(n, static_cast<std::uint32_t>(block))), dim3(block)};
}

// A kernel with the name that error messages use for it.
template <class... Parameters>
struct Kernel {
  void (*function)(Parameters...);
  const char* name;
};
template <class... Parameters>
Kernel(void (*)(Parameters...), const char*) -> Kernel<Parameters...>;
#define KERNEL(...) (::warpview::WARPVIEW_BACKEND::Kernel{&__VA_ARGS__, #__VA_ARGS__})

// Queues kernel<<<shape>>>(arguments...) on the stream. Arguments convert to the kernel's parameter
// types. Throws Error with the kernel's name if the launch is refused.
//
//     launch(stream, KERNEL(deform_kernel), one_thread_each(n), rest, n, out);
template <class... Parameters>
void launch(Stream& stream, Kernel<Parameters...> kernel, Shape shape,
            std::type_identity_t<Parameters>... arguments) {
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return;
  launch_kernel(stream, kernel.name, kernel.function, shape.grid, shape.block, shape.large_shared,
                arguments...);
}

// Launches a kernel that may begin while the launch queued before it still runs, where the device
// and the code for it can (cuda, from compute capability 9.0): launch latency then overlaps with
// work. Each of its threads calls wait_for_launch_before() before it reads what that launch writes,
// or writes anything; after the call all work queued before is complete and visible. It begins once
// every block of the launch before has ended or called let_launch_behind_begin(); a block that
// waits itself calls it after that wait.
template <class... Parameters>
void launch_early(Stream& stream, Kernel<Parameters...> kernel, Shape shape,
                  std::type_identity_t<Parameters>... arguments) {
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return;
  launch_early_kernel(stream, kernel.name, kernel.function, shape.grid, shape.block,
                      shape.large_shared, arguments...);
}

// Launches a persistent kernel, whose blocks wait for each other: all are co-resident, and the
// launch is refused if they do not fit. `concurrent_blocks` says how many may be launched.
template <class... Parameters>
void launch_concurrent(Stream& stream, Kernel<Parameters...> kernel, Shape shape,
                       std::type_identity_t<Parameters>... arguments) {
  launch_concurrent_kernel(stream, kernel.name, kernel.function, shape.grid, shape.block,
                           shape.large_shared, arguments...);
}

// Launches with fewer resident warps than the kernel could have: of the blocks that an SM can hold,
// one in `share` (rounded down, at least one) is resident at a time, as far as unused shared memory
// can enforce that; the launch log says how many were. On the CPU device it is an ordinary launch.
template <class... Parameters>
void launch_sparsely(Stream& stream, Kernel<Parameters...> kernel, Shape shape, unsigned share,
                     std::type_identity_t<Parameters>... arguments) {
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return;
  launch_kernel_sparsely(stream, kernel.name, kernel.function, shape.grid, shape.block, share,
                         arguments...);
}

// This thread's number in a one-dimensional launch.
__device__ inline std::uint32_t global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Memory that other blocks write while this kernel runs is read and written through these alone
// (all for 4- and 8-byte types): relaxed for a word that carries its own data, acquire and release
// for a flag that publishes other words.
//
//   T load_relaxed(const T*)      void store_relaxed(T*, T)
//   T load_acquire(const T*)      void store_release(T*, T)
//
// The backend's header above defines them, beside atomicAdd and its kin and __threadfence. It also
// defines `backoff()`: on the GPU it sleeps for some cycles, on the CPU device it lets other lanes
// run. Kernels call it through the guard of a loop that waits for another thread, which lives as
// long as the loop does:
//
//     for (Spin spin; !try_lock(lock);) spin.back_off();
//
// On the CPU device the guard marks where such loops begin and end (simt::Options::lockstep).
#if defined(WARPVIEW_BACKEND_CPU)
class Spin {
 public:
  explicit Spin(simt::Where where = {}) : where_(where), together_(simt::begin_spin(where)) {}
  ~Spin() { simt::end_spin(together_, where_); }
  Spin(const Spin&) = delete;
  Spin& operator=(const Spin&) = delete;
  void back_off(simt::Where where = {}) { simt::back_off(where); }

 private:
  simt::Where where_;
  simt::LaneMask together_;
};
#else
struct Spin {
  __device__ void back_off() { backoff(); }
};
#endif

}  // namespace warpview::WARPVIEW_BACKEND
