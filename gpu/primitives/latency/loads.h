// Kernels whose threads keep a fixed number of loads in flight.
//
// A thread's instructions are issued in order. After a load it goes on until the first instruction
// that uses the loaded value. The instructions in between therefore decide how many loads are in
// flight. The loops around must not be unrolled: that would put more loads in flight.
#pragma once

#include "gpu/primitives/latency/latency.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::latency {

// LatencyWork::stream, `loads` words at a time.
template <unsigned loads>
__device__ inline void add_up(const std::uint32_t* in, std::uint32_t n, std::uint32_t* out) {
  static_assert(latency_words_each % loads == 0);
  const std::uint32_t first = blockIdx.x * latency_tile + threadIdx.x;
  std::uint32_t sum = 0;
  UNROLL_BY(1)
  for (std::uint32_t k = 0; k < latency_words_each; k += loads) {
    std::uint32_t word[loads];
    UNROLL
    for (unsigned j = 0; j < loads; ++j) {
      const std::uint32_t i = first + (k + j) * latency_threads;
      word[j] = i < n ? in[i] : 0;
    }
    UNROLL
    for (unsigned j = 0; j < loads; ++j) sum += word[j];
  }
  out[global_thread()] = sum;
}

// LatencyWork::chase by the single thread, `loads` chains at a time: the next load of a chain waits
// for the chain's last load, and for nothing else.
template <unsigned loads>
__device__ inline void follow(const std::uint32_t* next, std::uint32_t n, std::uint32_t* out) {
  static_assert(latency_chains % loads == 0);
  for (std::uint32_t chain = 0; chain < latency_chains; chain += loads) {
    std::uint32_t at[loads];
    UNROLL
    for (unsigned j = 0; j < loads; ++j)
      at[j] = static_cast<std::uint32_t>(std::uint64_t{chain + j} * n / latency_chains);
    UNROLL_BY(1)
    for (std::uint32_t step = 0; step < latency_chain_loads; ++step) {
      UNROLL
      for (unsigned j = 0; j < loads; ++j) at[j] = next[at[j]];
    }
    UNROLL
    for (unsigned j = 0; j < loads; ++j) out[chain + j] = at[j];
  }
}

using LoadsKernel = Kernel<const std::uint32_t*, std::uint32_t, std::uint32_t*>;

inline void run(Stream& stream, const LatencyArgs& args, const Scratch& scratch,
                LoadsKernel stream_kernel, LoadsKernel chase_kernel) {
  if (args.share == 0)
    throw Error("loads by no block", "one block in `share` is resident, and `share` is 0",
                "Let it be 1 or more");
  if (scratch.measuring() || args.n == 0) return;
  if (args.work == LatencyWork::chase)
    launch(stream, chase_kernel, {1, 1}, args.in, args.n, args.out);
  else
    launch_sparsely(stream, stream_kernel, {latency_blocks(args.n), latency_threads}, args.share,
                    args.in, args.n, args.out);
}

}  // namespace warpview::WARPVIEW_BACKEND::latency
