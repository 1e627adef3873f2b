// The vendor's partition, the baseline: CUB, rocPRIM, oneTBB.

#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/select/library.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_partition.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_partition.hpp>
#endif

namespace warpview::WARPVIEW_BACKEND {

void partition_library(Stream& stream, const PartitionArgs& args, Scratch& scratch) {
#if defined(WARPVIEW_BACKEND_CPU)
  select::by_library(stream, args, scratch,
                     [args](std::uint32_t i, bool passes, std::uint32_t before) {
                       args.out[passes ? before : args.n - 1 - (i - before)] = args.in[i];
                     });
#else
  select::by_library(
      stream, args, scratch, [&](void* memory, std::size_t& bytes, select::AtMost passes) {
#if defined(WARPVIEW_BACKEND_CUDA)
        // The count is an int, as in CUB's documentation: with an unsigned one CUB counts in 64
        // bits, in kernels that are tuned for that.
        check(cub::DevicePartition::If(memory, bytes, args.in, args.out, args.count,
                                       static_cast<int>(args.n), passes, native(stream)),
              "cub::DevicePartition");
#else
        check(rocprim::partition(memory, bytes, args.in, args.out, args.count, args.n, passes,
                              native(stream)),
              "rocprim::partition");
#endif
      });
#endif
}

}  // namespace warpview::WARPVIEW_BACKEND
