// The vendor's scan, the baseline: CUB, rocPRIM, oneTBB.

#include "gpu/operators/vendor.h"
#include "gpu/primitives/scan/operators.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_scan.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_scan.hpp>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

#if defined(WARPVIEW_BACKEND_CPU)

template <class Operator>
void scan_by_library(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    using T = typename Operator::Type;
    using Range = tbb::blocked_range<std::uint32_t>;
    const auto* in = static_cast<const T*>(args.in);
    auto* out = static_cast<T*>(args.out);
    tbb::parallel_scan(
        Range(0, args.n, 4096), Operator::identity(),
        [=](const Range& range, T prefix, bool final) {
          for (std::uint32_t i = range.begin(); i != range.end(); ++i) {
            const T upto = Operator::combine(prefix, in[i]);
            if (final) out[i] = args.inclusive ? upto : prefix;
            prefix = upto;
          }
          return prefix;
        },
        [](const T& earlier, const T& later) { return Operator::combine(earlier, later); });
  });
}

#else

template <class Operator>
void scan_by_library(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  using T = typename Operator::Type;
  const auto* in = static_cast<const T*>(args.in);
  auto* out = static_cast<T*>(args.out);
  const VendorOperator<Operator> combine;  // for a sum, this is CUB's ExclusiveSum or InclusiveSum
  if (args.n == 0) return;
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
    check(args.inclusive
              ? cub::DeviceScan::InclusiveScan(memory, bytes, in, out, combine, args.n,
                                               native(stream))
              : cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, combine,
                                               Operator::identity(), args.n, native(stream)),
          "cub::DeviceScan");
#else
    check(args.inclusive
              ? rocprim::inclusive_scan(memory, bytes, in, out, args.n, combine, native(stream))
              : rocprim::exclusive_scan(memory, bytes, in, out, Operator::identity(), args.n,
                                        combine, native(stream)),
          "rocprim scan");
#endif
  });
}

#endif

}  // namespace

void scan_library(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  with_operator(args.combine,
                [&](auto op) { scan_by_library<decltype(op)>(stream, args, scratch); });
}

}  // namespace warpview::WARPVIEW_BACKEND
