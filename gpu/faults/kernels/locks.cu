// spin_lock and two_locks.
#include "gpu/faults/kernels/launch.h"
#include "gpu/primitives/lock/critical.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void spin_lock_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t sum = item % 2;
  for (Spin spin; !lock::try_lock(&args.first[sum]);) spin.back_off();
  args.out[sum] += item;
  lock::unlock(&args.first[sum]);
}

__global__ void spin_lock_right_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t sum = item % 2;
  bool is_done = false;
  for (Spin spin;;) {
    if (!is_done && lock::try_lock(&args.first[sum])) {
      args.out[sum] += item;
      lock::unlock(&args.first[sum]);
      is_done = true;
    }
    if (!warp::any(warp::all_lanes(), !is_done)) return;
    if (!is_done) spin.back_off();
  }
}

// An item says between which accounts a unit moves.
template <bool is_right>
__global__ void two_locks_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t from = item % 3;
  const std::uint32_t to = (from + 1 + item / 3 % 2) % 3;
  const bool swap = is_right && to < from;
  std::uint32_t* const outer = &args.first[swap ? to : from];
  std::uint32_t* const inner = &args.first[swap ? from : to];
  for (Spin spin; !lock::try_lock(outer);) spin.back_off();
  for (Spin spin; !lock::try_lock(inner);) spin.back_off();
  --args.out[from];
  ++args.out[to];
  lock::unlock(inner);
  lock::unlock(outer);
}

}  // namespace

void spin_lock_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(spin_lock_kernel), Shape(1, args.n), args);
}
void spin_lock_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(spin_lock_right_kernel), Shape(1, args.n), args);
}
void two_locks_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(two_locks_kernel<false>), one_thread_each(args.n, 32), args);
}
void two_locks_right(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(two_locks_kernel<true>), one_thread_each(args.n, 32), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
