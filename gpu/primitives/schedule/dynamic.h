// Each block launches kernels for the items that it spawns: dynamic parallelism.
//
//   CUDA C++ Programming Guide, CUDA Dynamic Parallelism.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The host launches kernels for the input's items. A block that has executed its batch launches,
// for each procedure that it has spawned items for, a kernel of as many blocks as these fill, and
// does not wait for it (cudaStreamFireAndForget). Only global memory can be handed over, so items
// go through the queues as in the other schedulers; a child takes a batch there, its parent's or
// another's. Each child is launched after its items are queued, so together they find all of them.
//
// A launch costs more than most items. The kernels nest as deeply as the work, and the device
// allows 24 levels: at the last level the items stay queued, for the host's next look.
#pragma once

#include "gpu/primitives/schedule/from_kernels.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Kernels that the host launches have depth 0.
inline constexpr unsigned deepest_kernel = 23;

// The number of items of each procedure that a block has spawned, in its shared memory.
template <class List>
struct Spawned;
template <class... Ps>
struct Spawned<Procedures<Ps...>> {
  std::uint32_t of[sizeof...(Ps)];
};

template <class Application>
struct ToQueuesAndCounted {
  const Queues<Application>& queues;
  Spawned<typename Application::Procedures>& spawned;

  template <class P>
  __device__ void operator()(P, const typename P::Item& item) const {
    queues.template append<P>(item);
    atomicAdd(&spawned.of[queues.template number<P>], 1U);
  }
};

template <class Application, class P>
__global__ void __launch_bounds__(block_of<P>)
    dynamic_kernel(Application application, Queues<Application> queues, unsigned depth);

// Called by one thread, for its block.
template <class Application, class... Ps>
__device__ void launch_children(const Application& application, const Queues<Application>& queues,
                                const Spawned<Procedures<Ps...>>& spawned, unsigned depth) {
  if (depth >= deepest_kernel) return;
  const auto launch_one = [&]<class P>(P) {
    constexpr unsigned threads = block_of<P>;
    const std::uint32_t items = spawned.of[number_of<P, Procedures<Ps...>>];
    if (items == 0) return;
    dynamic_kernel<Application, P><<<ceil_div(items, std::uint32_t{batch_of<P, threads>}), threads,
                                     0, cudaStreamFireAndForget>>>(application, queues, depth + 1);
    was_launched(queues.status);
  };
  (launch_one(Ps{}), ...);
}

template <class Application, class P>
__global__ void __launch_bounds__(block_of<P>)
    dynamic_kernel(Application application, Queues<Application> queues, unsigned depth) {
  using List = typename Application::Procedures;
  __shared__ Batch batch;
  __shared__ Spawned<List> spawned;
  __shared__ Workspace<P, block_of<P>> space;
  Stretch stretch(queues.trace, number_of<P, List>);
  if (threadIdx.x == 0) {
    for (std::uint32_t& of_procedure : spawned.of) of_procedure = 0;
    batch.count = 0;
    if (queues.template claim<P>(1, batch_of<P, block_of<P>>, batch))
      stretch.begin(batch.procedure, batch.count, [&] { return queues.template queued<P>(); });
    else
      atomicAdd(&queues.status->failed_takes, 1U);
  }
  __syncthreads();
  if (batch.count == 0) return;
  const auto from = queues.template level<P>(batch.level);
  execute<P>(
      application, space, batch.count,
      [&](unsigned i, typename P::Item& item) { from.take_claimed(batch.first + i, item); },
      ToQueuesAndCounted<Application>{queues, spawned});
  __syncthreads();
  if (threadIdx.x != 0) return;
  queues.template finish<P>(batch.count);
  launch_children(application, queues, spawned, depth);
  stretch.end();
}

template <class Application>
void dynamic(const Run<Application>& run) {
  const Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  launch_begin(run, queues);
  until_done(run, queues, [&](const Levels<Application>& levels) {
    for_each(typename Application::Procedures{}, [&]<class P>(P) {
      const auto kernel = &dynamic_kernel<Application, P>;
      resident(run, kernel, block_of<P>, queues.template number<P>);
      const std::uint32_t blocks = levels.template batches<P>();
      if (blocks == 0) return;
      launch(run.stream, Kernel{kernel, P::name}, Shape(blocks, block_of<P>), run.application,
             queues, 0U);
      count_launch(run);
    });
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
