// A megakernel whose blocks also have local queues in shared memory: Whippletree.
//
//   M. Steinberger, M. Kenzel, P. Boechat, B. Kerbl, M. Dokter, D. Schmalstieg, "Whippletree:
//   Task-based Scheduling of Dynamic Workloads on the GPU", ACM Transactions on Graphics (SIGGRAPH
//   Asia), 2014.
//
// A block keeps the items that it spawns, as long as there is room, and executes them next if they
// fill the block; overflow goes to the global queues. Recursion thus stays in shared memory, where
// a push is an add to a block-local count, and the queues in global memory carry only what is for
// other blocks. Kept items are pending as well, but no other block can take them; so they are added
// when the batch is done, in one word together with what is subtracted.
#pragma once

#include "gpu/primitives/schedule/megakernel.h"
#include "gpu/primitives/schedule/stacks.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The size of a block's local stack of P.
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
  // Called by one thread, while no lane pushes: the number of all kept items.
  __device__ std::uint32_t settle() { return (of<Ps>().settle() + ...); }
};

template <class Application, unsigned threads>
struct ToOwnFirst {
  const Queues<Application>& queues;
  OwnStacks<threads, typename Application::Procedures>& own;

  template <class P>
  __device__ void operator()(P, const typename P::Item& item) const {
    constexpr bool has_places = own_places<P, threads> != 0;
    if (has_places && own.template of<P>().try_push(item)) return;
    queues.template append<P>(item);
  }
};

// Called by thread 0: takes `kept` items of P from the local stack, and `least` to `most` from its
// queue.
template <class P, class Application, class Own>
__device__ inline bool take_both(const Queues<Application>& queues, Own& own, unsigned kept,
                                 unsigned least, unsigned most, Batch& batch) {
  const bool more = most > 0 && queues.template claim<P>(least > 0 ? least : 1, most, batch);
  if (!more && (least > 0 || kept == 0)) return false;
  if (!more) batch.count = batch.level = 0;
  batch.procedure = queues.template number<P>;
  batch.kept = kept;
  batch.own = own.template of<P>().pop(kept);
  batch.count += kept;
  return true;
}

// Called by thread 0; tries once, in order: takes the first local batch that fills the block, the
// first that fills it together with queued items, or else what there is of the first procedure with
// any items. Where the order has priority (without fills_first), only the last.
template <unsigned threads, class Application, class Own>
__device__ inline bool take_any(const Queues<Application>& queues, Own& own, Batch& batch) {
  const auto kept_of = [&]<class P>(P) {
    const std::uint32_t kept = own.template of<P>().settle();
    return kept < batch_of<P, threads> ? kept : batch_of<P, threads>;
  };
  const bool own_ones =
      fills_first<Application>() && any_as_asked<Application>([&]<class P>(P) {
        constexpr unsigned most = batch_of<P, threads>;
        return kept_of(P{}) == most && take_both<P>(queues, own, most, 0, 0, batch);
      });
  if (own_ones) return true;
  unsigned some = no_procedure;
  const bool whole = any_as_asked<Application>([&]<class P>(P) {
    const unsigned kept = kept_of(P{});
    const unsigned missing = batch_of<P, threads> - kept;
    const unsigned there = queues.template look<P>();
    if (kept + there == 0) return false;
    if (!fills_first<Application>()) return take_both<P>(queues, own, kept, 0, missing, batch);
    if (there >= missing) return take_both<P>(queues, own, kept, missing, missing, batch);
    if (some == no_procedure) some = queues.template number<P>;
    return false;
  });
  if (whole || some == no_procedure) return whole;
  bool part = false;
  with_procedure(some, typename Application::Procedures{}, [&]<class P>(P) {
    const unsigned kept = kept_of(P{});
    part = take_both<P>(queues, own, kept, 0, batch_of<P, threads> - kept, batch);
  });
  return part;
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
  std::uint32_t kept = 0;  // in thread 0: items in the stacks when a batch begins
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
          application, space.template of<P>(), batch.kept, batch.count,
          [&](unsigned i, typename P::Item& item) { item = stack.items[batch.own + i]; },
          [&](unsigned i, typename P::Item& item) {
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
      at_most(run, resident(run, kernel.function, threads, most_procedures));
  launch(run.stream, kernel, Shape(blocks, threads), run.application, queues);
  count_launch(run);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
