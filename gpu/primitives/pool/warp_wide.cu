// Finds a free buffer by a whole warp, which reads as many flags as it has lanes.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020: probing by
//   groups of lanes.
//
// The buffer is for the warp, and in hashed.cu one lane searches while the others wait. Here each
// lane reads a separate flag, neighbours in memory, and a ballot shows all lanes which are free:
// one read where the linear search takes 32 or 64. A lane whose flag looked free then tries to take
// it; if it is too late the next one tries. The search starts at a hash of the warp's index, as in
// hashed.cu.
#include "gpu/primitives/pool/linear.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Waits until one of `count` buffers is free and takes it; returns its index. A flag is 1 while its
// buffer is taken.
__device__ inline std::uint32_t take_by_warp(std::uint32_t begin, std::uint32_t* flags,
                                             std::uint32_t count) {
  // The flags from `begin` to the end, then those from 0 on, one warp's width at a time.
  for (Spin spin;;) {
    const std::uint32_t mine = begin + warp::lane();
    const bool looks_free = mine < count && load_relaxed(&flags[mine]) == 0;
    warp::LaneMask free = warp::ballot(warp::all_lanes(), looks_free);
    for (; free != 0; free &= free - 1) {
      const unsigned lane = warp::first(free);
      const bool got = warp::lane() == lane && atomicExch(&flags[mine], 1U) == 0;
      if (warp::any(warp::all_lanes(), got)) return pool::taken_by(lane, mine);
    }
    begin = begin + warp::size() < count ? begin + warp::size() : 0;
    if (begin == 0) spin.back_off();
  }
}

__global__ void pool_warp_wide_kernel(PoolArgs args, pool::Buffers buffers, std::uint32_t* flags) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  const std::uint32_t begin = pool::hashed(stretch.warp_number, args.buffers);
  const std::uint32_t buffer = take_by_warp(begin, flags, args.buffers);
  stretch.reverse_in(buffers, buffer, args);
  pool::give_back(flags, buffer);
}

}  // namespace

void pool_warp_wide(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  pool::with_pool(stream, args, scratch, args.buffers, KERNEL(pool_warp_wide_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
