// One atomic for all lanes that happen to be here.
//
//   A. Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014.
//   CUDA C++ Programming Guide, Warp Vote Functions: __activemask.
//
// ballot.cu needs the whole warp, so it must be called where lanes have not yet gone their own
// ways. Here the call stands inside the branch, where a plain atomicAdd would stand: whoever has
// come learns who else is here, the first of them takes places for all, and a shuffle among them
// hands those out. That is opportunistic: lanes that arrive apart make two atomics instead of one,
// and the result is as right. Nothing may be concluded from a lane that is not here, and so two
// queues with two counters are not for this way: lanes bound for different counters might be here
// together. The kernel is in in_branches.h.
#include "gpu/enqueue/in_branches.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct AmongActive {
  static constexpr const char* kernel_name = "enqueue_active_kernel";

  __device__ static std::uint32_t take(std::uint32_t* counter) {
    const warp::LaneMask here = warp::active();
    const unsigned leader = warp::first(here);
    std::uint32_t begin = 0;
    if (warp::lane() == leader) begin = atomicAdd(counter, warp::count(here));
    // The leader comes back to the others before any goes on: the shuffle names them all.
    begin = warp::shuffle(here, begin, leader);
    return begin + warp::count(here & warp::lanes_before());
  }
};

}  // namespace

void enqueue_active(Stream& stream, const EnqueueArgs& args, Workspace& workspace) {
  enqueue::in_branches<AmongActive>(stream, args, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
