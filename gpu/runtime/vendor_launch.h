// Launching a kernel on cuda and hip. Included by gpu/runtime/kernel.h, behind the vendor's api.h.
#pragma once

#include "gpu/runtime/device.h"

namespace warpview::WARPVIEW_BACKEND {

// Adds the launch to the device's log, with what the runtime knows of the kernel. `shared_bytes`:
// that the launch asked for, beside those that the kernel declares.
void log_launch(Device& device, const char* name, const void* kernel, dim3 grid, dim3 block,
                std::size_t shared_bytes = 0);

template <class... Parameters>
void launch_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                   dim3 block, std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(GPU_API(LaunchKernel)(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                              native(stream)),
        name);
  if (stream.device().launches.recording())
    log_launch(stream.device(), name, reinterpret_cast<const void*>(kernel), grid, block);
}

// The bytes of shared memory for each block with which a multiprocessor holds one in `share` of the
// blocks that it could; as near as can be where no block may have so many.
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
                              dim3 grid, dim3 block,
                              std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(GPU_API(LaunchCooperativeKernel)(reinterpret_cast<const void*>(kernel), grid, block,
                                         pointers, 0, native(stream)),
        name);
  if (stream.device().launches.recording())
    log_launch(stream.device(), name, reinterpret_cast<const void*>(kernel), grid, block);
}
template <class... Parameters>
unsigned concurrent_blocks(Stream& stream, void (*kernel)(Parameters...), unsigned block) {
  native(stream);
  int per_multiprocessor = 0;
  check(GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(
            &per_multiprocessor, reinterpret_cast<const void*>(kernel), static_cast<int>(block), 0),
        "occupancy of a kernel");
  return static_cast<unsigned>(per_multiprocessor * stream.device().info().multiprocessors);
}

}  // namespace warpview::WARPVIEW_BACKEND
