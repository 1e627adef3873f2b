// What the variants with both stages in one kernel of persistent threads share; they differ in the
// grid barrier.
//
//   K. Gupta, J. Stuart, J. Owens, A Study of Persistent Threads Style GPU Programming for GPGPU
//   Workloads, InPar 2012.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Persistent threads.
//
// The grid has exactly as many blocks as the device holds at once. They stay until all work is
// done, and each thread takes numbers in a grid-stride loop. This saves a launch, and a thread
// keeps in registers, for the second stage, what it read in the first.
//
// Why no more blocks than fit: a block leaves its SM only when it ends. If waiting blocks occupy
// all SMs, a block that has not started never starts, and they wait for it forever. So the grid is
// what the occupancy query allows, and the launch is a cooperative one, which the driver refuses if
// the blocks could not all be co-resident.
#pragma once

#include <algorithm>

#include "gpu/primitives/persistent/stages.h"

namespace warpview::WARPVIEW_BACKEND::persistent {

inline constexpr unsigned kept_each =
    tile_extent(16, 1);  // numbers that a thread keeps in registers

// This thread's numbers, in a grid-stride loop; the first of them stay in registers.
class Share {
 public:
  __device__ Share(const float* in, std::uint32_t n)
      : in_(in), n_(n), beyond_(global_thread() + kept_each * stride()) {
    UNROLL
    for (unsigned k = 0; k < kept_each; ++k) {
      const std::uint32_t i = global_thread() + k * stride();
      kept_[k] = i < n ? in[i] : 0.0F;
    }
  }

  // The largest magnitude.
  __device__ float largest() const {
    float largest = largest_of_mine(in_, n_, beyond_, stride());
    UNROLL
    for (unsigned k = 0; k < kept_each; ++k) largest = max_of(largest, std::fabs(kept_[k]));
    return largest;
  }

  __device__ void scale(float* out, float largest) const {
    UNROLL
    for (unsigned k = 0; k < kept_each; ++k) {
      const std::uint32_t i = global_thread() + k * stride();
      if (i < n_) out[i] = scaled(kept_[k], largest);
    }
    scale_mine(in_, out, n_, beyond_, stride(), largest);
  }

 private:
  __device__ static std::uint32_t stride() { return gridDim.x * threads; }

  const float* in_;
  std::uint32_t n_;
  std::uint32_t beyond_;  // the first number that is not kept in a register
  float kept_[kept_each];
};

// The host function: as many blocks as are co-resident, or fewer for few numbers.
inline void launch_resident(
    Stream& stream, const PersistentArgs& args, Scratch& scratch,
    Kernel<const float*, float*, std::uint32_t, float*, std::uint32_t*> kernel) {
  const std::uint32_t resident = concurrent_blocks(stream, kernel.function, threads);
  const std::uint32_t blocks = std::min(ceil_div(args.n, threads * fewest_each), resident);
  auto* maxima = scratch.take<float>(blocks, "maxima");
  auto* arrived = scratch.take<std::uint32_t>(1, "arrived");
  if (scratch.measuring() || args.n == 0) return;
  stream.fill(arrived, 0, sizeof *arrived);
  launch_concurrent(stream, kernel, Shape(blocks, threads), args.in, args.out, args.n, maxima,
                    arrived);
}

}  // namespace warpview::WARPVIEW_BACKEND::persistent
