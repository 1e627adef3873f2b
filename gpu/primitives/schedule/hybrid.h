// A controller on the GPU, which launches what the queues hold and then itself again: hybrid
// dynamic parallelism.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// What the host does in time_sliced.h a thread of a kernel does: it looks at the queues and
// launches a kernel for each procedure that has work, as large as that. A kernel cannot wait for
// those that it has launched. But it may name one that starts when it and all of them have ended,
// which is itself (cudaStreamTailLaunch), and so there is always one controller, and nothing runs
// beside it when it looks.
//
// Mega: procedures that are alike, which say the same `group`, share a small megakernel; the others
// have their own kernels. So alike ones hand each other work without an end of a launch, and unlike
// ones have the occupancy that suits them. The tutorial has that as an idea for the future.
#pragma once

#include "gpu/primitives/schedule/from_kernels.h"
#include "gpu/primitives/schedule/megakernel.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Those of a list that are of a group.
template <unsigned group, class Found, class Rest>
struct GroupOf {
  using Type = Found;
};
template <unsigned group, class... Found, class P, class... Ps>
struct GroupOf<group, Procedures<Found...>, Procedures<P, Ps...>>
    : GroupOf<group,
              std::conditional_t<P::group == group, Procedures<Found..., P>, Procedures<Found...>>,
              Procedures<Ps...>> {};
// All that are of a group with P, P among them.
template <class P, class List>
using AlikeTo = typename GroupOf<P::group, Procedures<>, List>::Type;

// Where they are several, and P is the first of them: for the others nothing is to be launched.
template <class P, class List>
inline constexpr bool is_grouped = AlikeTo<P, List>::count > 1;
template <class P, class List>
inline constexpr bool leads = number_of<P, AlikeTo<P, List>> == 0;

// How many blocks take all that is queued for P. By a thread beside which nothing runs.
template <class P, class Application>
__device__ inline std::uint32_t batches_of(const Queues<Application>& queues) {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < P::levels; ++i)
    sum += ceil_div(static_cast<std::uint32_t>(queues.template level<P>(i).count()),
                    std::uint32_t{batch_of<P, block_of<P>>});
  return sum;
}

// What a group's megakernel is launched with.
struct GroupBlocks {
  std::uint32_t of[most_procedures];
};

// One warp, of which one thread acts.
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
  // A group is counted for itself, as its megakernel ends with its work.
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
