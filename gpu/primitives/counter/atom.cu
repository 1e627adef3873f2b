// Atomic additions whose result is used.
//
//   CUDA C++ Programming Guide, Atomic Functions; PTX ISA: atom.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is red.cu, except that a thread reads what the counter held, here to detect an overflow;
// code that draws a ticket or a place does the same. The addition then returns a value, and a
// register and the warp wait for it.

#include "gpu/primitives/counter/adding.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// *overflows counts the overflows of all counters.
template <CounterTask task>
__global__ void __launch_bounds__(counter::threads)
    count_by_atom_kernel(CounterArgs args, std::uint32_t* overflows) {
  counter::add_own<task>(args, [overflows](std::uint32_t* count) {
    if (atomicAdd(count, 1U) == ~0U) atomicAdd(overflows, 1U);
  });
}

}  // namespace

void counter_atom(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  auto* overflows = scratch.take<std::uint32_t>(1, "overflows");
  if (scratch.measuring()) return;
  stream.fill(overflows, 0, sizeof *overflows);
  stream.fill(args.counts, 0, counters_of(args.task) * sizeof(std::uint32_t));
  launch(stream,
         args.task == CounterTask::one ? KERNEL(count_by_atom_kernel<CounterTask::one>)
                                       : KERNEL(count_by_atom_kernel<CounterTask::many>),
         one_thread_each(args.n, counter::threads), args, overflows);
}

}  // namespace warpview::WARPVIEW_BACKEND
