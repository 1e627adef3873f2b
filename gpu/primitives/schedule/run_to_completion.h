// One kernel in which a block executes all tasks that its part of the input spawns: run to
// completion.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// There are no queues, no host in the loop, and no waiting. The input is distributed beforehand. A
// block keeps spawned items on private stacks and takes the last ones first, so the stacks stay
// short, about as long as the work is deep. The price: there is no load balancing, and the kernel
// has the registers and the shared memory of the largest procedure.
#pragma once

#include "gpu/primitives/schedule/megakernel.h"
#include "gpu/primitives/schedule/stacks.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The memory of the stacks of all blocks.
template <class P>
struct StacksOf {
  typename P::Item* items;
};
template <class Application, class List = typename Application::Procedures>
struct Stacks;
template <class Application, class... Ps>
struct Stacks<Application, Procedures<Ps...>> : StacksOf<Ps>... {
  std::uint32_t capacity;
  ScheduleStatus* status;
  ScheduleTrace trace;

  template <class P>
  __device__ Stack<typename P::Item> of(StackCounts<Procedures<Ps...>>& counts) const {
    constexpr unsigned number = number_of<P, Procedures<Ps...>>;
    return {static_cast<const StacksOf<P>&>(*this).items + std::size_t{blockIdx.x} * capacity,
            capacity, &counts.of[number]};
  }
};

template <class Application>
struct ToStacks {
  const Stacks<Application>& stacks;
  StackCounts<typename Application::Procedures>& counts;

  template <class P>
  __device__ void operator()(P, const typename P::Item& item) const {
    if (!stacks.template of<P>(counts).try_push(item))
      atomicAdd(&stacks.status->refused[number_of<P, typename Application::Procedures>], 1U);
  }
};

// Called by thread 0: takes a batch from the stacks, one that fills the block if possible. Returns
// false if they are empty.
template <unsigned threads, class Application>
__device__ inline bool pop_any(const Stacks<Application>& stacks,
                               StackCounts<typename Application::Procedures>& counts,
                               Batch& batch) {
  const auto ask = [&](bool whole) {
    return any_as_asked<Application>([&]<class P>(P) {
      constexpr unsigned most = batch_of<P, threads>;
      const auto stack = stacks.template of<P>(counts);
      const std::uint32_t there = stack.settle();
      if (there < (whole ? most : 1)) return false;
      batch.procedure = number_of<P, typename Application::Procedures>;
      batch.kept = batch.count = there < most ? there : most;
      batch.own = stack.pop(batch.count);
      return true;
    });
  };
  batch.count = 0;
  return ask(true) || ask(false);
}

// Blocks take the input round-robin, one item per thread at a time.
template <class Application>
__global__ void __launch_bounds__(block_of_all<typename Application::Procedures>)
    run_to_completion_kernel(Application application, std::uint32_t inputs,
                             Stacks<Application> stacks) {
  using List = typename Application::Procedures;
  constexpr unsigned threads = block_of_all<List>;
  __shared__ Batch batch;
  __shared__ StackCounts<List> counts;
  __shared__ AnyWorkspace<threads, List> space [[maybe_unused]];
  const ToStacks<Application> emit{stacks, counts};
  Stretch stretch(stacks.trace, most_procedures);
  const auto no_queues = [] { return std::uint32_t{0}; };
  if (threadIdx.x == 0)
    for (std::uint32_t& count : counts.of) count = 0;
  __syncthreads();
  for (std::uint32_t first = blockIdx.x; first < inputs; first += gridDim.x * threads) {
    if (threadIdx.x == 0) {
      const std::uint32_t left = (inputs - first - 1) / gridDim.x + 1;
      stretch.begin(most_procedures, left < threads ? left : threads, no_queues);
    }
    const std::uint32_t i = first + threadIdx.x * gridDim.x;
    if (i < inputs) application.begin(i, emit);
    for (;;) {
      __syncthreads();
      if (threadIdx.x == 0 && pop_any<threads>(stacks, counts, batch))
        stretch.begin(batch.procedure, batch.count, no_queues);
      __syncthreads();
      if (batch.count == 0) break;
      with_procedure(batch.procedure, List{}, [&]<class P>(P) {
        const auto stack = stacks.template of<P>(counts);
        execute<P>(
            application, space.template of<P>(), batch.count,
            [&](unsigned k, typename P::Item& item) { item = stack.items[batch.own + k]; }, emit);
        if (threadIdx.x == 0) atomicAdd(&stacks.status->executed[number_of<P, List>], batch.count);
      });
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) stretch.end();
}

template <class Application, class... Ps>
Stacks<Application> take_stacks(const Run<Application>& run, std::uint32_t blocks,
                                Procedures<Ps...>) {
  Stacks<Application> stacks{};
  stacks.capacity = run.settings.stack;
  stacks.status = run.settings.status;
  stacks.trace = run.settings.trace;
  const std::size_t places = std::size_t{blocks} * stacks.capacity;
  ((static_cast<StacksOf<Ps>&>(stacks).items =
        run.scratch.template take<typename Ps::Item>(places, "stacks")),
   ...);
  return stacks;
}

template <class Application>
void run_to_completion(const Run<Application>& run) {
  const auto kernel = KERNEL(run_to_completion_kernel<Application>);
  constexpr unsigned threads = block_of_all<typename Application::Procedures>;
  const std::uint32_t places = resident(run, kernel.function, threads, most_procedures);
  const std::uint32_t blocks = std::min(at_most(run, places), run.inputs);
  const auto stacks = take_stacks(run, blocks, typename Application::Procedures{});
  if (run.scratch.measuring()) return;
  run.stream.fill(stacks.status, 0, sizeof *stacks.status);
  if (blocks == 0) return;
  launch(run.stream, kernel, Shape(blocks, threads), run.application, run.inputs, stacks);
  count_launch(run);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
