// A megakernel whose blocks have queues of their own in shared memory: Whippletree.
//
//   M. Steinberger, M. Kenzel, P. Boechat, B. Kerbl, M. Dokter, D. Schmalstieg, "Whippletree:
//   Task-based Scheduling of Dynamic Workloads on the GPU", ACM Transactions on Graphics (SIGGRAPH
//   Asia), 2014.
//
// What a block begets it keeps, as long as there is room, and executes next if it fills the block;
// what overflows goes to the queues of all. So recursion stays in shared memory, where a push is an
// add to a count of the block, and the queues in global memory carry what others are to have. What
// is kept is pending as well, but nobody else can take it; so it is added when the batch is done,
// in one word with what is taken away.
#pragma once

#include "gpu/primitives/schedule/megakernel.h"
#include "gpu/primitives/schedule/stacks.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Places of a block's own stack of P.
template <class P, unsigned threads>
inline constexpr unsigned own_places = [] {
  constexpr unsigned most_bytes = 2048;
  constexpr unsigned two_batches = 2 * batch_of<P, threads>;
  constexpr unsigned that_fit = most_bytes / sizeof(typename P::Item);
  if (P::levels > 1) return 0U;
  if (P::local_places >= 0) return static_cast<unsigned>(P::local_places);
  return two_batches < that_fit ? two_batches : that_fit;
}();

template <class P, unsigned threads>
struct OwnItems {
  typename P::Item items[own_places<P, threads> > 0 ? own_places<P, threads> : 1];
};
// In shared memory.
template <unsigned threads, class List>
struct OwnStacks;
template <unsigned threads, class... Ps>
struct OwnStacks<threads, Procedures<Ps...>> : OwnItems<Ps, threads>... {
  StackCounts<Procedures<Ps...>> counts;

  template <class P>
  __device__ Stack<typename P::Item> of() {
    return {static_cast<OwnItems<P, threads>&>(*this).items, own_places<P, threads>,
            &counts.of[number_of<P, Procedures<Ps...>>]};
  }
  // By one thread, while nobody pushes: all that is kept.
  __device__ std::uint32_t settle() { return (of<Ps>().settle() + ...); }
};

template <class Application, unsigned threads>
struct ToOwnFirst {
  const Queues<Application>& queues;
  OwnStacks<threads, typename Application::Procedures>& own;

  template <class P>
  __device__ void operator()(P, const typename P::Item& item) const {
    if constexpr (own_places < P, threads >> 0)
      if (own.template of<P>().try_push(item)) return;
    queues.template append<P>(item);
  }
};

// By thread 0, asks once, in order: for a batch of its own that fills the block; for one that does
// so with what is in the queues; for anything.
template <unsigned threads, class Application, class Own>
__device__ inline bool take_any(const Queues<Application>& queues, Own& own, Batch& batch) {
  enum class Asking { kept, whole, anything };
  const auto ask = [&](Asking asking) {
    return any_as_asked<Application>([&]<class P>(P) {
      constexpr unsigned most = batch_of<P, threads>;
      const auto stack = own.template of<P>();
      std::uint32_t kept = stack.settle();
      if (kept > most) kept = most;
      if (asking == Asking::kept && kept < most) return false;
      const unsigned missing = most - kept;
      const unsigned least = asking == Asking::whole ? missing : 1;
      const bool more = missing > 0 && queues.template claim<P>(least, missing, batch);
      if (!more && (kept == 0 || (asking == Asking::whole && missing > 0))) return false;
      if (!more) batch.count = batch.level = 0;
      batch.procedure = number_of<P, typename Application::Procedures>;
      batch.own = stack.pop(kept);
      batch.kept = kept;
      batch.count += kept;
      return true;
    });
  };
  return ask(Asking::kept) || (fills_first<Application>() && ask(Asking::whole)) ||
         ask(Asking::anything);
}

template <class Application>
__global__ void __launch_bounds__(block_of_all<typename Application::Procedures>)
    megakernel_local_kernel(Application application, Queues<Application> queues) {
  using List = typename Application::Procedures;
  constexpr unsigned threads = block_of_all<List>;
  __shared__ Batch batch;
  __shared__ OwnStacks<threads, List> own;
  __shared__ AnyWorkspace<threads, List> space [[maybe_unused]];
  Stretch stretch(queues.trace, most_procedures);
  std::uint32_t kept = 0;  // of thread 0: in the stacks, when a batch begins
  if (threadIdx.x == 0)
    for (std::uint32_t& count : own.counts.of) count = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      wait_for_batch(queues, 0, batch, stretch,
                     [&] { return take_any<threads>(queues, own, batch); });
      kept = own.settle();
    }
    __syncthreads();
    if (batch.count == 0) return;
    with_procedure(batch.procedure, List{}, [&]<class P>(P) {
      const auto from = queues.template level<P>(batch.level);
      const auto stack = own.template of<P>();
      execute<P>(
          application, space.template of<P>(), batch.count,
          [&](unsigned i, typename P::Item& item) {
            if (i < batch.kept)
              item = stack.items[batch.own + i];
            else
              from.take_claimed(batch.first + (i - batch.kept), item);
          },
          ToOwnFirst<Application, threads>{queues, own});
      __syncthreads();
      if (threadIdx.x == 0) {
        atomicAdd(&queues.status->executed[number_of<P, List>], batch.count);
        const std::uint32_t change = own.settle() - kept - batch.count;
        if (change != 0) atomicAdd(&queues.pending[0].items, change);
      }
    });
  }
}

template <class Application>
void megakernel_local(const Run<Application>& run) {
  const Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  launch_begin(run, queues);
  const auto kernel = KERNEL(megakernel_local_kernel<Application>);
  constexpr unsigned threads = block_of_all<typename Application::Procedures>;
  const std::uint32_t blocks =
      at_most(run, resident(run, kernel.function, threads, most_procedures, true));
  launch_concurrent(run.stream, kernel, Shape(blocks, threads), run.application, queues);
  count_launch(run);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
