// Device memory of the rays of a picture.
#pragma once

#include <cstdint>

#include "gpu/runtime/buffer.h"
#include "gpu/steps/paths.h"
#include "gpu/steps/rays.h"

namespace warpview {

// One ray of each pixel, in whole groups.
constexpr std::uint64_t rays_of(std::uint64_t pixels) {
  return (pixels + rays_of_group - 1) / rays_of_group * rays_of_group;
}

struct RaysRoom {
  Buffer<BoundedRay> rays, shadow_rays;
  Buffer<RayHit> hits;
  Buffer<TraceSteps> steps;
  Buffer<std::uint32_t> shadow, hidden;
  Buffer<Vec4> sums;
  Buffer<PathState> paths;  // of the view `paths` alone
  std::uint32_t n = 0;

  RaysRoom() = default;
  RaysRoom(Device& device, std::uint32_t rays_)
      : rays(device, rays_),
        shadow_rays(device, rays_),
        hits(device, rays_),
        steps(device, rays_),
        shadow(device, rays_),
        hidden(device, rays_),
        sums(device, rays_),
        n(rays_) {}

  bool has_paths() const { return paths.size() == n; }
  // Where there is no memory for them, the rest stays.
  void add_paths(Device& device) { paths = {device, n}; }

  // Nothing of an earlier sample is left: sums are 0.
  void spoil(Stream& stream) const {
    constexpr std::uint8_t spoiled = 0x5a;
    const auto fill = [&stream](const auto& buffer, std::uint8_t value) {
      stream.fill(buffer.data(), value, buffer.bytes());
    };
    fill(rays, spoiled);
    fill(shadow_rays, spoiled);
    fill(hits, spoiled);
    fill(steps, spoiled);
    fill(shadow, spoiled);
    fill(hidden, spoiled);
    if (paths.size() > 0) fill(paths, spoiled);
    fill(sums, 0);
  }

  static constexpr std::uint64_t bytes_of_ray = 2 * sizeof(BoundedRay) + sizeof(RayHit) +
                                                sizeof(TraceSteps) + 2 * sizeof(std::uint32_t) +
                                                sizeof(Vec4) + sizeof(PathState);
};

}  // namespace warpview
