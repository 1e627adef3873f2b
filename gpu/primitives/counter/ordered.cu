// Atomic additions with an order and a scope.
//
//   libcu++: cuda::atomic_ref; PTX ISA, Memory Consistency Model.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// What one writes as `++counter` of a cuda::atomic is the dearest of all: without a word about it
// the order is sequentially consistent and the scope is the system, which a counter needs neither
// of. The four variants take these apart:
//
//                            the device alone      the whole system
//   relaxed                  relaxed               system
//   sequentially consistent  seq_cst               defaults
//
// Sequential consistency is bought with a fence before each addition, and with forgetting what the
// cache holds after it: all that the thread did before must be there for everybody.

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
