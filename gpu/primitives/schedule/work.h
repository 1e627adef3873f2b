// How a block executes items.
#pragma once

#include "gpu/primitives/schedule/clock.h"
#include "gpu/primitives/schedule/queues.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The shared memory of a block of `threads` threads that executes a batch of P. A single lane keeps
// its item in registers.
template <class P, unsigned threads>
struct Workspace {
  using Item = typename P::Item;
  static_assert(sizeof(Item) % 4 == 0 && sizeof(Item) <= 1024);
  static constexpr unsigned batch = batch_of<P, threads>;
  static_assert(std::is_trivially_default_constructible_v<Item> &&
                    std::is_trivially_default_constructible_v<typename P::Shared>,
                "no initialisers: they come to lie in shared memory");
  Item items[P::workers > 1 ? batch : 1];
  typename P::Shared shared[batch];
};

// Room for the workspace of any procedure.
template <unsigned threads, class List>
struct AnyWorkspace;
template <unsigned threads, class... Ps>
struct AnyWorkspace<threads, Procedures<Ps...>> {
  static constexpr std::size_t bytes = [] {
    std::size_t most = 0;
    ((most = sizeof(Workspace<Ps, threads>) > most ? sizeof(Workspace<Ps, threads>) : most), ...);
    return most;
  }();
  static_assert(bytes <= 48U * 1024, "all that a block may have");
  alignas(16) unsigned char memory[bytes];

  template <class P>
  __device__ Workspace<P, threads>& of() {
    return *reinterpret_cast<Workspace<P, threads>*>(memory);
  }
};

// Called by all threads of a block: executes `count` items, at most a batch. fetch(i, item) reads
// the i-th of them; the first of the lanes that will execute the item calls it. One barrier
// separates all fetches from all executions.
template <class P, unsigned threads, class Application, class Fetch, class Emit>
__device__ inline void execute(const Application& application, Workspace<P, threads>& space,
                               unsigned count, Fetch fetch, const Emit& emit) {
  const Lanes<P::workers> lanes;
  const unsigned i = lanes.in_warp ? threadIdx.x / P::workers : 0;
  typename P::Item mine{};
  typename P::Item& item = P::workers > 1 ? space.items[i] : mine;
  if (i < count && lanes.rank() == 0) fetch(i, item);
  __syncthreads();
  if (i < count) P::execute(application, item, lanes, space.shared[i], emit);
}

// As `execute` above, for items of which the first `kept` come from elsewhere: keep(i, item) reads
// these.
//
// A barrier separates keep from fetch, too. In two branches of one condition ptxas 13.0 (sm_90)
// assigned the shared-memory address that keep() reads and a number of fetch()'s loop to one
// uniform register, which the lanes of a warp share, and the branch that came second got a wrong
// value.
template <class P, unsigned threads, class Application, class Keep, class Fetch, class Emit>
__device__ inline void execute(const Application& application, Workspace<P, threads>& space,
                               unsigned kept, unsigned count, Keep keep, Fetch fetch,
                               const Emit& emit) {
  const Lanes<P::workers> lanes;
  const unsigned i = lanes.in_warp ? threadIdx.x / P::workers : 0;
  typename P::Item mine{};
  typename P::Item& item = P::workers > 1 ? space.items[i] : mine;
  const bool is_first = lanes.rank() == 0;
  if (is_first && i < kept) keep(i, item);
  __syncthreads();
  if (is_first && i >= kept && i < count) fetch(i, item);
  __syncthreads();
  if (i < count) P::execute(application, item, lanes, space.shared[i], emit);
}

// Calls use(P{}) for the procedure with that index: the switch of a kernel for several.
template <class Use, class... Ps>
__device__ inline void with_procedure(unsigned number, Procedures<Ps...>, Use use) {
  unsigned i = 0;
  ((i++ == number ? use(Ps{}) : void()), ...);
}

// Calls use(P{}) for each procedure; on the host, and on the device.
template <class Use, class... Ps>
inline void for_each(Procedures<Ps...>, Use use) {
  (use(Ps{}), ...);
}
template <class Use, class... Ps>
__device__ inline void with_each(Procedures<Ps...>, Use use) {
  (use(Ps{}), ...);
}

// The k-th procedure of a list.
template <unsigned k, class List>
struct At;
template <unsigned k, class P, class... Ps>
struct At<k, Procedures<P, Ps...>> : At<k - 1, Procedures<Ps...>> {};
template <class P, class... Ps>
struct At<0, Procedures<P, Ps...>> {
  using Type = P;
};

// Calls test(P{}) for each procedure in the order in which blocks ask, until one returns true.
template <class Application, class Test, unsigned... k>
__device__ inline bool any_as_asked(std::integer_sequence<unsigned, k...>, Test test) {
  using List = typename Application::Procedures;
  return (test(typename At<asked<Application>(k), List>::Type{}) || ...);
}
template <class Application, class Test>
__device__ inline bool any_as_asked(Test test) {
  return any_as_asked<Application>(
      std::make_integer_sequence<unsigned, Application::Procedures::count>(), test);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
