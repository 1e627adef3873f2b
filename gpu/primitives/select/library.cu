// The vendor's select, the baseline: CUB, rocPRIM, oneTBB.

#include "gpu/primitives/select/library.h"
#include "gpu/primitives/select/select.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_select.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_select.hpp>
#endif

namespace warpview::WARPVIEW_BACKEND {

void select_library(Stream& stream, const SelectArgs& args, Scratch& scratch) {
#if defined(WARPVIEW_BACKEND_CPU)
  select::by_library(stream, args, scratch,
                     [args](std::uint32_t i, bool passes, std::uint32_t before) {
                       if (passes) args.out[before] = args.in[i];
                     });
#else
  select::by_library(stream, args, scratch,
                     [&](void* memory, std::size_t& bytes, select::AtMost passes) {
#if defined(WARPVIEW_BACKEND_CUDA)
                       check(cub::DeviceSelect::If(memory, bytes, args.in, args.out, args.count,
                                                   args.n, passes, native(stream)),
                             "cub::DeviceSelect");
#else
        check(rocprim::select(memory, bytes, args.in, args.out, args.count, args.n, passes,
                              native(stream)),
              "rocprim::select");
#endif
                     });
#endif
}

}  // namespace warpview::WARPVIEW_BACKEND
