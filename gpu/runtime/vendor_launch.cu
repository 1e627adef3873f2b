// How both vendors' devices launch kernels, and what they tell of a launch.
#include <algorithm>
#include <iterator>
#include <utility>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

std::size_t shared_bytes_for(Stream& stream, const char* name, const void* kernel, dim3 block,
                             unsigned share) {
  native(stream);
  if (share <= 1) return 0;
  const auto threads = static_cast<int>(block.x * block.y * block.z);
  const auto resident = [&](int shared_bytes) {
    int blocks = 0;
    check(GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(
              &blocks, kernel, threads, static_cast<std::size_t>(shared_bytes)),
          name);
    return blocks;
  };
  int most = 0;
  check(
      GPU_API(DeviceGetAttribute)(&most, max_shared_memory_per_block, stream.device().info().index),
      name);
  GPU_API(FuncAttributes) attributes{};
  check(GPU_API(FuncGetAttributes)(&attributes, kernel), name);
  most -= static_cast<int>(attributes.sharedSizeBytes);
  check(GPU_API(FuncSetAttribute)(kernel, GPU_API(FuncAttributeMaxDynamicSharedMemorySize), most),
        name);
  // The fewest that do: with more of them there are never more blocks.
  const int wanted = std::max(resident(0) / static_cast<int>(share), 1);
  int fewest = 0;
  for (int enough = most; fewest < enough;) {
    const int middle = fewest + (enough - fewest) / 2;
    if (resident(middle) <= wanted)
      enough = middle;
    else
      fewest = middle + 1;
  }
  return static_cast<std::size_t>(fewest);
}

std::size_t ask_for_shared([[maybe_unused]] const char* name, [[maybe_unused]] const void* kernel,
                           [[maybe_unused]] std::size_t large_shared) {
#if defined(WARPVIEW_BACKEND_CUDA)
  if (large_shared == 0) return 0;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(large_shared)),
        name);
  // The memory that L1 and shared memory divide goes to the latter, for as many blocks as fit.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared),
        name);
  return large_shared;
#else
  return 0;
#endif
}

std::size_t most_large_shared(Stream& stream) {
#if defined(WARPVIEW_BACKEND_CUDA)
  constexpr std::size_t others = 2048;  // what a kernel has of small ones beside it
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                               stream.device().info().index),
        "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(most) - others;
#else
  return stream.device().info().shared_bytes_per_block;
#endif
}

GpuError launch_overlapping(const void* kernel, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared_bytes, GpuStream stream) {
#if defined(WARPVIEW_BACKEND_CUDA)
  // Only where the kernels have been compiled to wait: code for older GPUs, of which the driver
  // makes code for newer ones, does not.
  constexpr int compiled_for[] = {__CUDA_ARCH_LIST__};
  constexpr int first_that_waits = 900;
  if (std::all_of(std::begin(compiled_for), std::end(compiled_for),
                  [](int architecture) { return architecture >= first_that_waits; })) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, arguments);
  }
#endif
  return GPU_API(LaunchKernel)(kernel, grid, block, arguments, shared_bytes, stream);
}

GpuError launch_together(const void* kernel, dim3 grid, dim3 block, void** arguments,
                         std::size_t shared_bytes, GpuStream stream) {
#if defined(WARPVIEW_BACKEND_HIP)
  // We know of no graph of HIP 5.2 that has cooperative launches. What makes one of them so is that
  // all blocks fit at once, and of those of a graph it is we who see to that (concurrent_blocks).
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  check(hipStreamIsCapturing(stream, &status), "hipStreamIsCapturing");
  if (status != hipStreamCaptureStatusNone)
    return hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
#endif
  return GPU_API(LaunchCooperativeKernel)(kernel, grid, block, arguments,
                                          static_cast<unsigned>(shared_bytes), stream);
}

void log_launch(Device& device, const char* name, const void* kernel, dim3 grid, dim3 block,
                std::size_t shared_bytes) {
  LaunchRecord record{
      .kernel = name, .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}};
  const auto threads = static_cast<int>(block.x * block.y * block.z);
  GPU_API(FuncAttributes) attributes{};
  if (GPU_API(FuncGetAttributes)(&attributes, kernel) == gpu_success) {
    record.registers = attributes.numRegs;
    record.shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared_bytes);
    record.local_bytes = static_cast<int>(attributes.localSizeBytes);
  }
  int blocks = 0;
  int most_threads = 0;
  if (GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, kernel, threads, shared_bytes) ==
          gpu_success &&
      GPU_API(DeviceGetAttribute)(&most_threads, max_threads_per_multiprocessor,
                                  device.info().index) == gpu_success) {
    // A warp that is not full takes a whole warp's place.
    const int warp = device.info().warp_size;
    record.blocks_per_multiprocessor = blocks;
    record.occupancy = static_cast<double>(blocks * ((threads + warp - 1) / warp) * warp) /
                       static_cast<double>(most_threads);
  }
#if defined(WARPVIEW_BACKEND_CUDA) && CUDART_VERSION >= 12030
  const char* symbol = nullptr;
  if (cudaFuncGetName(&symbol, kernel) == cudaSuccess && symbol != nullptr) record.symbol = symbol;
#endif
  static_cast<void>(GPU_API(GetLastError)());  // what is not known is no failure
  device.launches.add(std::move(record));
}

}  // namespace warpview::WARPVIEW_BACKEND
