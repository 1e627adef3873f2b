// One kernel for all procedures, whose persistent blocks take work from the queues: a megakernel.
//
//   M. Steinberger, B. Kainz, B. Kerbl, S. Hauswiesner, M. Kenzel, D. Schmalstieg, "Softshell:
//   Dynamic Scheduling on GPUs", ACM Transactions on Graphics (SIGGRAPH Asia), 2012.
//
// A block takes items of one procedure, as many as fill it, and executes them by a switch; the
// items that they spawn go into the queues, for whichever block comes next. There is no host in the
// loop, there are no ends of launches, and all kinds of work run at once. The price: the kernel has
// the registers and the shared memory of the largest procedure, and all blocks contend for the
// queues.
#pragma once

#include "gpu/primitives/schedule/procedure_kernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// What a block does that finds nothing: sleeps, longer each time, because all such blocks poll the
// same words.
__device__ inline void rest(Spin& spin, unsigned& turns) {
  constexpr unsigned most = 16;
  for (unsigned k = 0; k < turns; ++k) spin.back_off();
  if (turns < most) turns *= 2;
}

inline constexpr unsigned no_procedure = most_procedures;

// Tries the queues of some procedures once, in order: claims the first batch that fills the block,
// or else what there is of the first procedure with any items.
template <class Members, unsigned threads, class Application>
__device__ inline bool claim_any(const Queues<Application>& queues, Batch& batch) {
  unsigned some = no_procedure;
  const bool claimed = any_as_asked<Application>([&]<class P>(P) {
    if constexpr (!is_one_of<P, Members>) {
      return false;
    } else {
      constexpr unsigned most = batch_of<P, threads>;
      constexpr unsigned least = fills_first<Application>() ? most : 1;
      const unsigned there = queues.template look<P>();
      if (there >= least) return queues.template claim<P>(least, most, batch);
      if (there > 0 && some == no_procedure) some = queues.template number<P>;
      return false;
    }
  });
  if (claimed || some == no_procedure) return claimed;
  bool part = false;
  with_procedure(some, typename Application::Procedures{}, [&]<class P>(P) {
    if constexpr (is_one_of<P, Members>)
      part = queues.template claim<P>(1, batch_of<P, threads>, batch);
  });
  return part;
}

// Whether items counted by `counter` are pending.
template <class Application>
__device__ inline bool are_pending(const Queues<Application>& queues, unsigned counter) {
  return load_relaxed(&queues.pending[counter].items) != 0;
}

// Called by thread 0: calls take() until it has a batch, or nothing is pending any more; the batch
// is then empty.
template <class Application, class Take>
__device__ inline void wait_for_batch(const Queues<Application>& queues, unsigned counter,
                                      Batch& batch, Stretch& stretch, Take take) {
  std::uint32_t failed = 0;
  unsigned turns = 1;
  batch.count = 0;
  for (Spin spin; !take();) {
    stretch.end();
    ++failed;
    if (!are_pending(queues, counter)) break;
    rest(spin, turns);
  }
  if (failed > 0) atomicAdd(&queues.status->failed_takes, failed);
  if (batch.count > 0)
    stretch.begin(batch.procedure, batch.count, [&] { return queues.queued(batch.procedure); });
}

// For some procedures of the application, or for all. `counter` counts their items.
template <class Application, class Members>
__global__ void __launch_bounds__(block_of_all<Members>)
    megakernel_of(Application application, Queues<Application> queues, unsigned counter) {
  constexpr unsigned threads = block_of_all<Members>;
  __shared__ Batch batch;
  __shared__ AnyWorkspace<threads, Members> space;
  Stretch stretch(queues.trace, most_procedures);
  for (;;) {
    if (threadIdx.x == 0)
      wait_for_batch(queues, counter, batch, stretch,
                     [&] { return claim_any<Members, threads>(queues, batch); });
    __syncthreads();
    if (batch.count == 0) return;
    with_procedure(batch.procedure, typename Application::Procedures{}, [&]<class P>(P) {
      if constexpr (is_one_of<P, Members>) {
        const auto from = queues.template level<P>(batch.level);
        execute<P>(
            application, space.template of<P>(), batch.count,
            [&](unsigned i, typename P::Item& item) { from.take_claimed(batch.first + i, item); },
            ToQueues<Application>{queues});
        __syncthreads();
        if (threadIdx.x == 0) queues.template finish<P>(batch.count);
      }
    });
  }
}

template <class Application>
void megakernel(const Run<Application>& run) {
  using List = typename Application::Procedures;
  const Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  launch_begin(run, queues);
  const auto kernel = KERNEL(megakernel_of<Application, List>);
  constexpr unsigned threads = block_of_all<List>;
  const std::uint32_t blocks =
      at_most(run, resident(run, kernel.function, threads, most_procedures));
  launch(run.stream, kernel, Shape(blocks, threads), run.application, queues, 0U);
  count_launch(run);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
