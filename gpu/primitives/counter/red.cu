// Atomic additions whose result is unused.
//
//   CUDA C++ Programming Guide, Atomic Functions; PTX ISA: red.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The compiler sees that the old value is unused. It emits a reduction (RED), which a warp sends
// and forgets, instead of an atomic (ATOM), whose result returns to a register. The order is
// relaxed and the scope is the device: what a counter needs, and what atomicAdd has always given.

#include "gpu/primitives/counter/adding.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <CounterTask task>
__global__ void __launch_bounds__(counter::threads) count_by_red_kernel(CounterArgs args) {
  counter::add_own<task>(args, [](std::uint32_t* count) { atomicAdd(count, 1U); });
}

}  // namespace

void counter_red(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  counter::run(stream, args, scratch,
               {KERNEL(count_by_red_kernel<CounterTask::one>),
                KERNEL(count_by_red_kernel<CounterTask::many>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
