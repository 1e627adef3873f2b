// Atomic additions with an order and a scope.
//
//   libcu++: cuda::atomic_ref; PTX ISA, Memory Consistency Model.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The plain `++counter` of a cuda::atomic is the most expensive form: by default the order is
// sequentially consistent and the scope is the system, and a counter needs neither. The four
// variants separate the two:
//
//                            the device alone      the whole system
//   relaxed                  relaxed               system
//   sequentially consistent  seq_cst               defaults
//
// Sequential consistency costs a fence before each addition, and an invalidated cache after it:
// everything that the thread did before must be visible to all others.

#include "gpu/primitives/counter/adding.h"
#include "gpu/primitives/counter/ordered.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <CounterTask task, counter::Order order, counter::Scope scope>
__global__ void __launch_bounds__(counter::threads) count_in_order_kernel(CounterArgs args) {
  counter::add_own<task>(args, [](std::uint32_t* count) { counter::add_one<order, scope>(count); });
}

template <counter::Order order, counter::Scope scope>
void count_in_order(Stream& stream, const CounterArgs& args, const Scratch& scratch) {
  counter::run(stream, args, scratch,
               {KERNEL(count_in_order_kernel<CounterTask::one, order, scope>),
                KERNEL(count_in_order_kernel<CounterTask::many, order, scope>)});
}

}  // namespace

void counter_relaxed(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  count_in_order<counter::Order::relaxed, counter::Scope::device>(stream, args, scratch);
}
void counter_system(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  count_in_order<counter::Order::relaxed, counter::Scope::system>(stream, args, scratch);
}
void counter_seq_cst(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  count_in_order<counter::Order::seq_cst, counter::Scope::device>(stream, args, scratch);
}
void counter_defaults(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  count_in_order<counter::Order::seq_cst, counter::Scope::system>(stream, args, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
