// Counters of the block in shared memory, and one addition per block and counter to the global
// ones.
//
//   CUDA C++ Programming Guide, Atomic Functions.
//   libcu++: cuda::atomic_ref and thread_scope_block.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// Only threads of a block access its counters, so the scope is the block, and the counters can be
// in shared memory. Knowing that the memory is shared is worth more than the scope. For an address
// that nvcc knows to be shared it compiles atomicAdd to an instruction for shared memory (ATOMS).
// cuda::atomic_ref takes any address, and compiles to a generic one (ATOM) with the block's scope.
//
// A thread has many words here, so that a block counts more words than it has counters to pass on.

#include "gpu/primitives/counter/adding.h"
#include "gpu/primitives/counter/ordered.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned words_each = tile_extent(32, 2);  // per thread

// A block counts its words by `add` into its counters `of_block`, [counters_of(task)].
template <CounterTask task, class Add>
__device__ inline void count_in_block(const CounterArgs& args, std::uint32_t* of_block, Add add) {
  constexpr std::uint32_t counters = counters_of(task);
  for (std::uint32_t k = threadIdx.x; k < counters; k += counter::threads) of_block[k] = 0;
  __syncthreads();
  const std::uint32_t first = blockIdx.x * counter::threads * words_each + threadIdx.x;
  UNROLL_BY(4)
  for (unsigned k = 0; k < words_each; ++k)
    counter::add_word<task>(args, first + k * counter::threads, of_block, add);
  __syncthreads();
  for (std::uint32_t k = threadIdx.x; k < counters; k += counter::threads)
    if (of_block[k] > 0) atomicAdd(&args.counts[k], of_block[k]);
}

template <CounterTask task>
__global__ void __launch_bounds__(counter::threads) count_shared_kernel(CounterArgs args) {
  __shared__ std::uint32_t of_block[counters_of(task)];
  count_in_block<task>(args, of_block, [](std::uint32_t* count) { atomicAdd(count, 1U); });
}

template <CounterTask task>
__global__ void __launch_bounds__(counter::threads) count_block_scope_kernel(CounterArgs args) {
  __shared__ std::uint32_t of_block[counters_of(task)];
  count_in_block<task>(args, of_block, [](std::uint32_t* count) {
    counter::add_one<counter::Order::relaxed, counter::Scope::block>(count);
  });
}

}  // namespace

void counter_shared(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  counter::run(stream, args, scratch,
               {KERNEL(count_shared_kernel<CounterTask::one>),
                KERNEL(count_shared_kernel<CounterTask::many>)},
               words_each);
}

void counter_block_scope(Stream& stream, const CounterArgs& args, Scratch& scratch) {
  counter::run(stream, args, scratch,
               {KERNEL(count_block_scope_kernel<CounterTask::one>),
                KERNEL(count_block_scope_kernel<CounterTask::many>)},
               words_each);
}

}  // namespace warpview::WARPVIEW_BACKEND
