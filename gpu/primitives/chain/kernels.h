// The kernels of the chain (chain.h), each a few microseconds of work at most: the variants compare
// ways to launch them.
#pragma once

#include "gpu/primitives/chain/chain.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND::chain {

inline constexpr unsigned threads = tile_extent(256, 64);

struct Step {
  std::uint32_t factor, summand;
};
inline constexpr Step step_of_x{5, 1};
inline constexpr Step step_of_y{3, 7};

// `in` may be `out`.
static __global__ void step_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                                   Step step) {
  const std::uint32_t i = global_thread();
  if (i < n) out[i] = step.factor * in[i] + step.summand;
}

static __global__ void join_kernel(const std::uint32_t* x, const std::uint32_t* y,
                                   std::uint32_t* out, std::uint32_t n) {
  const std::uint32_t i = global_thread();
  if (i < n) out[i] = x[i] ^ y[i];
}

inline void launch_steps(Stream& stream, const std::uint32_t* in, std::uint32_t* data,
                         const ChainArgs& args, Step step) {
  for (std::uint32_t s = 0; s < args.steps; ++s)
    launch(stream, KERNEL(step_kernel), one_thread_each(args.n, threads), s == 0 ? in : data, data,
           args.n, step);
}
inline void launch_x(Stream& stream, const ChainArgs& args) {
  launch_steps(stream, args.x_in, args.x, args, step_of_x);
}
inline void launch_y(Stream& stream, const ChainArgs& args) {
  launch_steps(stream, args.y_in, args.y, args, step_of_y);
}
inline void launch_join(Stream& stream, const ChainArgs& args) {
  launch(stream, KERNEL(join_kernel), one_thread_each(args.n, threads), args.x, args.y, args.out,
         args.n);
}
// All launches, in one order.
inline void launch_all(Stream& stream, const ChainArgs& args) {
  launch_x(stream, args);
  launch_y(stream, args);
  launch_join(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND::chain
