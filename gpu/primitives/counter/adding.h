// What the variants of the counter share: everything except how 1 is added.
#pragma once

#include "gpu/primitives/counter/counter.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::counter {

inline constexpr unsigned threads = tile_extent(256, 64);

// Calls add(counter) for word i, if it exists and counts; `counts` may differ from the arguments'
// counters.
template <CounterTask task, class Add>
__device__ inline void add_word(const CounterArgs& args, std::uint32_t i, std::uint32_t* counts,
                                Add add) {
  if (i >= args.n) return;
  const std::uint32_t word = args.in[i];
  if constexpr (task == CounterTask::many)
    add(&counts[word % many_counters]);
  else if (word < counter_limit)
    add(counts);
}
// add_word for this thread's word.
template <CounterTask task, class Add>
__device__ inline void add_own(const CounterArgs& args, Add add) {
  add_word<task>(args, global_thread(), args.counts, add);
}

// The kernels of a variant, and its host function.
struct Kernels {
  Kernel<CounterArgs> one;
  Kernel<CounterArgs> many;
};
inline void run(Stream& stream, const CounterArgs& args, const Scratch& scratch,
                const Kernels& kernels, unsigned words_each = 1) {
  if (scratch.measuring()) return;
  stream.fill(args.counts, 0, counters_of(args.task) * sizeof(std::uint32_t));
  launch(stream, args.task == CounterTask::one ? kernels.one : kernels.many,
         Shape(ceil_div(args.n, threads * words_each), threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND::counter
