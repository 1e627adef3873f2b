// One atomic a warp.
//
//   A. Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014.
//   Course GPU Programming Primitives for Computer Graphics, SIGGRAPH Asia 2023.
//
// A ballot gives every lane the same mask of the lanes whose item passes. Its population count is
// what the warp needs: the first lane takes that many places with one atomic and tells the others
// where they begin. A lane's place among them is its rank, the number of passing lanes before it:
// the count of the mask's bits below its own. No memory is touched but the counter and the queue.
// The kernel is in by_ballot.h.
#include "gpu/enqueue/by_ballot.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct ByShift {
  static constexpr const char* kernel_name = "enqueue_ballot_kernel";

  __device__ static warp::LaneMask mask() { return warp::lanes_before(); }
};

}  // namespace

void enqueue_ballot(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  enqueue::by_ballot<ByShift>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
