// A controller on the GPU, which launches kernels for the queued items and then itself again:
// hybrid dynamic parallelism.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// A kernel's thread does what the host does in time_sliced.h: it reads the queues and launches a
// kernel for each procedure that has work, of matching size. A kernel cannot wait for the kernels
// that it has launched. But it may name one that starts when it and all of them have ended, which
// is itself (cudaStreamTailLaunch). So there is always one controller, and nothing runs beside it
// while it reads.
//
// Mega: similar procedures, which declare the same `group`, share a small megakernel; the others
// have their own kernels. Procedures of a group thus hand over work without the end of a launch,
// and different groups keep the occupancy that suits them. The tutorial suggests this as future
// work.
#pragma once

#include "gpu/primitives/schedule/from_kernels.h"
#include "gpu/primitives/schedule/megakernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The procedures of a list that belong to a group.
template <unsigned group, class Found, class Rest>
struct GroupOf {
  using Type = Found;
};
template <unsigned group, class... Found, class P, class... Ps>
struct GroupOf<group, Procedures<Found...>, Procedures<P, Ps...>>
    : GroupOf<group,
              std::conditional_t<P::group == group, Procedures<Found..., P>, Procedures<Found...>>,
              Procedures<Ps...>> {};
// All procedures of P's group, including P.
template <class P, class List>
using AlikeTo = typename GroupOf<P::group, Procedures<>, List>::Type;

// Whether there are several, and P is the first of them: the others need no launch.
template <class P, class List>
inline constexpr bool is_grouped = AlikeTo<P, List>::count > 1;
template <class P, class List>
inline constexpr bool leads = number_of<P, AlikeTo<P, List>> == 0;

// The blocks that take all items queued for P. Called by a thread while nothing else runs.
template <class P, class Application>
__device__ inline std::uint32_t batches_of(const Queues<Application>& queues) {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < P::levels; ++i)
    sum += ceil_div(static_cast<std::uint32_t>(queues.template level<P>(i).count()),
                    std::uint32_t{batch_of<P, block_of<P>>});
  return sum;
}

// The argument of a group's megakernel.
struct GroupBlocks {
  std::uint32_t of[most_procedures];
};

// One warp, of which one thread is active.
template <class Application, bool mega>
__global__ void controller_kernel(Application application, Queues<Application> queues,
                                  GroupBlocks blocks) {
  using List = typename Application::Procedures;
  if (threadIdx.x != 0) return;
  bool launched = false;
  const auto serve = [&]<class P>(P) {
    if constexpr (!mega || !is_grouped<P, List>) {
      const std::uint32_t batches = batches_of<P>(queues);
      if (batches == 0) return;
      procedure_kernel<Application, P>
          <<<batches, block_of<P>, 0, cudaStreamFireAndForget>>>(application, queues, false);
      launched |= was_launched(queues.status);
    } else if constexpr (leads<P, List>) {
      using Alike = AlikeTo<P, List>;
      if (!are_pending(queues, P::group)) return;
      megakernel_of<Application, Alike>
          <<<blocks.of[P::group], block_of_all<Alike>, 0, cudaStreamFireAndForget>>>(
              application, queues, P::group);
      launched |= was_launched(queues.status);
    }
  };
  with_each(List{}, serve);
  if (!launched) return;
  controller_kernel<Application, mega>
      <<<1, warp::min_size, 0, cudaStreamTailLaunch>>>(application, queues, blocks);
  was_launched(queues.status);
}

template <bool mega, class Application>
void run_by_controller(const Run<Application>& run) {
  using List = typename Application::Procedures;
  Queues<Application> queues = take_queues(run);
  if (run.scratch.measuring()) return;
  // Each group has its own count, because its megakernel ends with its work.
  GroupBlocks blocks{};
  for_each(List{}, [&]<class P>(P) {
    constexpr unsigned number = number_of<P, List>;
    static_assert(P::group < most_procedures);
    if constexpr (mega && is_grouped<P, List>) {
      using Alike = AlikeTo<P, List>;
      queues.counted_by[number] = P::group;
      const auto kernel = &megakernel_of<Application, Alike>;
      blocks.of[P::group] =
          at_most(run, resident(run, kernel, block_of_all<Alike>, most_procedures));
    } else {
      queues.counted_by[number] = mega ? P::group : 0;
      resident(run, &procedure_kernel<Application, P>, block_of<P>, number);
    }
  });
  launch_begin(run, queues);
  until_done(run, queues, [&](const Levels<Application>&) {
    const auto kernel = &controller_kernel<Application, mega>;
    launch(run.stream, Kernel{kernel, "controller_kernel"}, Shape(1, warp::min_size),
           run.application, queues, blocks);
    count_launch(run);
  });
}

template <class Application>
void hybrid(const Run<Application>& run) {
  run_by_controller<false>(run);
}
template <class Application>
void hybrid_mega(const Run<Application>& run) {
  run_by_controller<true>(run);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
