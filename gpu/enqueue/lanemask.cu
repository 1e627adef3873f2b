// One atomic a warp, the lanes before this one read from a register.
//
// PTX ISA, Special Registers: %lanemask_lt.
//
// ballot.cu computes which lanes come before this one from the number of the lane: a shift and a
// subtraction. The hardware keeps that mask in a special register; one instruction of inline PTX
// reads it. The kernel is in by_ballot.h.
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include "gpu/enqueue/by_ballot.h"

namespace warpview::cuda {

namespace {

struct ByRegister {
  static constexpr const char* kernel_name = "enqueue_lanemask_kernel";

  __device__ static warp::LaneMask mask() {
    std::uint32_t before;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    return before;
  }
};

}  // namespace

void enqueue_lanemask(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  enqueue::by_ballot<ByRegister>(stream, args, workspace);
}

}  // namespace warpview::cuda

#endif
