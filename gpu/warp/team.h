// 32 lanes that work together, whatever the warp: a warp of 64 has two such teams. What depends on
// how many lanes there are, as the shape of a tree, is then the same on every device.
#pragma once

#include "gpu/runtime/vec.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::warp {

inline constexpr unsigned team_lanes = 32;

struct Team {
  unsigned first;  // lane of the warp
  LaneMask mask;

  __device__ static Team mine() {
    const unsigned first = lane() / team_lanes * team_lanes;
    return {first, LaneMask{0xffffffffU} << first};
  }
  __device__ unsigned rank() const { return lane() - first; }
  // Number of this team in its (one-dimensional) block.
  __device__ unsigned index() const { return threadIdx.x / team_lanes; }
  // Bit r for the member of rank r.
  __device__ std::uint32_t ballot(bool predicate) const {
    return static_cast<std::uint32_t>(warp::ballot(mask, predicate) >> first);
  }
  template <class T>
  __device__ T from(T value, unsigned rank) const {
    return shuffle(mask, value, first + rank % team_lanes);
  }
  __device__ Aabb from(const Aabb& box, unsigned rank) const {
    return {{from(box.min.x, rank), from(box.min.y, rank), from(box.min.z, rank)},
            {from(box.max.x, rank), from(box.max.y, rank), from(box.max.z, rank)}};
  }
  // Members see each other's earlier writes to shared and global memory.
  __device__ void sync() const { warp::sync(mask); }
};

}  // namespace warpview::WARPVIEW_BACKEND::warp
