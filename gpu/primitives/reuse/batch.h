// A batch of triangles, shaded by the lanes of a warp. The variants differ in how a lane finds the
// lanes that hold the same index.
#pragma once

#include <cmath>

#include "gpu/primitives/reuse/reuse.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::reuse {

inline constexpr unsigned lanes_of_batch = 32;
inline constexpr unsigned threads = tile_extent(256, 64);

// The first step of a vertex shader. Each product is added with one rounding, so that the bits are
// the same on every device.
__device__ inline float row_times(const float* row, const Vec4& v) {
  return fmaf(row[0], v.xyz.x, fmaf(row[1], v.xyz.y, fmaf(row[2], v.xyz.z, row[3] * v.w)));
}
__device__ inline Vec4 shade(const float* matrix, const Vec4& v) {
  return {{row_times(matrix, v), row_times(matrix + 4, v), row_times(matrix + 8, v)},
          row_times(matrix + 12, v)};
}

// One thread per lane of a batch. first_equal(lanes, index) is called by the `lanes` that have a
// corner and returns the first of them with the same index.
//
//   1. the first lane with an index leads the lanes that have it: it will shade the vertex;
//   2. a ballot finds the leaders; a leader's place in the batch is the number of leaders before
//      its lane;
//   3. each corner takes its leader's place.
template <class FirstEqual>
__device__ inline void shade_batch(const ReuseArgs& args, FirstEqual first_equal) {
  const std::uint32_t batch = global_thread() / lanes_of_batch;
  const unsigned lane = threadIdx.x % lanes_of_batch;
  const std::uint32_t corner = batch * reuse_corners + lane;
  const bool has_corner = lane < reuse_corners && corner < 3 * args.n;
  // This batch's half of a warp of 64 lanes.
  const warp::LaneMask lanes = warp::ballot(
      warp::LaneMask{0xffffffffU} << (warp::lane() / lanes_of_batch * lanes_of_batch), has_corner);
  if (!has_corner) return;

  const std::uint32_t index = args.indices[corner];
  const unsigned leader = first_equal(lanes, index);
  const bool leads = leader == warp::lane();
  const warp::LaneMask leaders = warp::ballot(lanes, leads);
  const unsigned place = warp::count(leaders & ((warp::LaneMask{1} << leader) - 1));
  args.corners[corner] = static_cast<std::uint8_t>(place);
  if (leads) {
    const std::uint32_t vertex = batch * reuse_corners + place;
    args.shaded[vertex] = index;
    args.places[vertex] = shade(args.matrix, args.vertices[index]);
  }
  if (lane == 0) args.counts[batch] = warp::count(leaders);
}

inline void run(Stream& stream, const ReuseArgs& args, const Scratch& scratch,
                Kernel<ReuseArgs> kernel) {
  if (scratch.measuring()) return;
  launch(stream, kernel, one_thread_each(reuse_batches(args.n) * lanes_of_batch, threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND::reuse
