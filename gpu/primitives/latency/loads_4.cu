// Each thread has four loads in flight, in four registers.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization. V. Volkov, "Better Performance at Lower Occupancy", GTC
//   2010.

#include "gpu/primitives/latency/loads.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(latency_threads)
    stream_4_kernel(const std::uint32_t* in, std::uint32_t n, std::uint32_t* out) {
  latency::add_up<4>(in, n, out);
}

// One thread.
__global__ void chase_4_kernel(const std::uint32_t* next, std::uint32_t n, std::uint32_t* out) {
  latency::follow<4>(next, n, out);
}

}  // namespace

void latency_loads_4(Stream& stream, const LatencyArgs& args, Scratch& scratch) {
  latency::run(stream, args, scratch, KERNEL(stream_4_kernel), KERNEL(chase_4_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
