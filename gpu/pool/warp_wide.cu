// A free buffer by a whole warp that looks at as many flags as it has lanes.
//
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020: probing by
//   groups of lanes.
//
// The buffer is for the warp, and in hashed.cu one lane looks for it while the others wait. Here
// each lane looks at a flag of its own, neighbours in memory, and a ballot tells all of them which
// are free: one read where the linear search takes 32 or 64. A lane whose flag looked free then
// tries to take it; if it comes too late the next one tries. The search begins at the hash of the
// warp's number, as in hashed.cu.
#include "gpu/pool/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct WarpWide {
  static constexpr const char* kernel_name = "pool_warp_wide_kernel";

  std::uint32_t* flags;  // 1: taken
  std::uint32_t count;

  __device__ std::uint32_t take(std::uint32_t warp_number) const {
    // The flags from `begin` to the end, then those from 0 on, a row of lanes at a time.
    for (std::uint32_t begin = pool::hashed(warp_number, count);;) {
      const std::uint32_t mine = begin + warp::lane();
      const bool looks_free = mine < count && load_relaxed(&flags[mine]) == 0;
      warp::LaneMask free = warp::ballot(warp::all_lanes(), looks_free);
      for (; free != 0; free &= free - 1) {
        const unsigned lane = warp::first(free);
        const bool got = warp::lane() == lane && atomicExch(&flags[mine], 1U) == 0;
        if (warp::any(warp::all_lanes(), got)) return pool::taken_by(lane, mine);
      }
      begin = begin + warp::size() < count ? begin + warp::size() : 0;
      if (begin == 0) backoff();
    }
  }

  __device__ void give_back(std::uint32_t buffer) const {
    pool::done_with();
    if (warp::lane() == 0) store_relaxed(&flags[buffer], 0U);
  }
};

}  // namespace

void pool_warp_wide(Stream& stream, const PoolArgs& args, Workspace& workspace) {
  pool::reverse_stretches<WarpWide>(stream, args, workspace, args.buffers);
}

}  // namespace warpview::WARPVIEW_BACKEND
