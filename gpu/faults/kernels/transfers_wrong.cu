#include "gpu/faults/kernels/launch.h"
#include "gpu/primitives/lock/critical.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// An item says between which accounts a unit moves.
__global__ void transfers_wrong_kernel(FaultArgs args) {
  const std::uint32_t item = args.items[global_thread()];
  const std::uint32_t from = item % 3;
  const std::uint32_t to = (from + 1 + item / 3 % 2) % 3;
  std::uint32_t* const outer = &args.first[from];
  std::uint32_t* const inner = &args.first[to];
  for (Spin spin; !lock::try_lock(outer);) spin.back_off();
  for (Spin spin; !lock::try_lock(inner);) spin.back_off();
  --args.out[from];
  ++args.out[to];
  lock::unlock(inner);
  lock::unlock(outer);
}

}  // namespace

void transfers_wrong(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(transfers_wrong_kernel), one_thread_each(args.n, 32), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
