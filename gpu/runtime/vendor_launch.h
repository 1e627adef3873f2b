// Launches kernels on cuda and hip. Included by gpu/runtime/kernel.h, after the vendor's api.h.
#pragma once

#include "gpu/runtime/device.h"

namespace warpview::WARPVIEW_BACKEND {

// Adds the launch to the device's log, with what the runtime knows of the kernel. `shared_bytes`:
// what the launch requested, beside what the kernel declares.
void log_launch(Device& device, const char* name, const void* kernel, dim3 grid, dim3 block,
                std::size_t shared_bytes);

// Requests from the runtime what a kernel with so large a LARGE_SHARED variable needs before it is
// launched, or its occupancy queried. On other backends than cuda that variable is an ordinary one.
// Returns the bytes that the launch passes.
std::size_t ask_for_shared(const char* name, const void* kernel, std::size_t large_shared);
// The largest LARGE_SHARED variable that the device has memory for.
std::size_t most_large_shared(Stream& stream);
// As LaunchKernel, but for kernels that wait for the previous launch themselves.
GpuError launch_overlapping(const void* kernel, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared_bytes, GpuStream stream);
// As LaunchCooperativeKernel.
GpuError launch_together(const void* kernel, dim3 grid, dim3 block, void** arguments,
                         std::size_t shared_bytes, GpuStream stream);

// Launches by `call`, which has LaunchKernel's parameters, and adds it to the log.
template <class Call, class... Parameters>
void launch_by(Call call, Stream& stream, const char* name, void (*kernel)(Parameters...),
               dim3 grid, dim3 block, std::size_t large_shared,
               std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  const auto* function = reinterpret_cast<const void*>(kernel);
  const GpuStream queue = native(stream);
  const std::size_t bytes = ask_for_shared(name, function, large_shared);
  check(call(function, grid, block, pointers, bytes, queue), name);
  if (stream.device().launches.recording())
    log_launch(stream.device(), name, function, grid, block, bytes);
}

template <class... Parameters>
void launch_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                   dim3 block, std::size_t large_shared,
                   std::type_identity_t<Parameters>... arguments) {
  const auto call = [](const void* function, dim3 blocks, dim3 threads, void** pointers,
                       std::size_t bytes, GpuStream queue) {
    return GPU_API(LaunchKernel)(function, blocks, threads, pointers, bytes, queue);
  };
  launch_by(call, stream, name, kernel, grid, block, large_shared, arguments...);
}

template <class... Parameters>
void launch_early_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                         dim3 block, std::size_t large_shared,
                         std::type_identity_t<Parameters>... arguments) {
  launch_by(launch_overlapping, stream, name, kernel, grid, block, large_shared, arguments...);
}

// The bytes of shared memory per block with which an SM holds one in `share` of the blocks that it
// could; as near as possible if no block may have that many.
std::size_t shared_bytes_for(Stream& stream, const char* name, const void* kernel, dim3 block,
                             unsigned share);

template <class... Parameters>
void launch_kernel_sparsely(Stream& stream, const char* name, void (*kernel)(Parameters...),
                            dim3 grid, dim3 block, unsigned share,
                            std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  const void* const function = reinterpret_cast<const void*>(kernel);
  const std::size_t shared_bytes = shared_bytes_for(stream, name, function, block, share);
  check(GPU_API(LaunchKernel)(function, grid, block, pointers, shared_bytes, native(stream)), name);
  if (stream.device().launches.recording())
    log_launch(stream.device(), name, function, grid, block, shared_bytes);
}

// All blocks run at once, so that they may wait for each other: at most `concurrent_blocks` of
// them.
template <class... Parameters>
void launch_concurrent_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...),
                              dim3 grid, dim3 block, std::size_t large_shared,
                              std::type_identity_t<Parameters>... arguments) {
  launch_by(launch_together, stream, name, kernel, grid, block, large_shared, arguments...);
}
// How many blocks of the kernel the device holds at a time: 0 if not even one fits.
template <class... Parameters>
unsigned concurrent_blocks(Stream& stream, void (*kernel)(Parameters...), unsigned block,
                           std::size_t large_shared = 0) {
  constexpr const char* what = "occupancy of a kernel";
  const auto* function = reinterpret_cast<const void*>(kernel);
  native(stream);
  if (large_shared > most_large_shared(stream)) return 0;
  const std::size_t bytes = ask_for_shared(what, function, large_shared);
  int per_multiprocessor = 0;
  check(GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(&per_multiprocessor, function,
                                                           static_cast<int>(block), bytes),
        what);
  return static_cast<unsigned>(per_multiprocessor * stream.device().info().multiprocessors);
}

}  // namespace warpview::WARPVIEW_BACKEND
