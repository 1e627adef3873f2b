// Reyes done sequentially: one patch after the other, without lanes, queues or atomics.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/applications/reyes.h"

namespace warpview {

struct ReyesReference {
  std::vector<std::uint64_t> samples;  // as ReyesArgs::samples
  // Items by ReyesWork. Those of Blend are counted without occlusion culling.
  std::array<std::uint64_t, reyes_procedures> executed{};
  std::uint64_t micropolygons = 0;
};

ReyesReference reyes_one_by_one(std::span<const BezierPatch> patches,
                                std::span<const std::uint32_t> colours, const ReyesView& view);

// The picture of samples, of side x side a pixel: as ReyesPictureArgs.
std::vector<std::uint32_t> reyes_pixels(std::span<const std::uint64_t> samples, std::uint32_t width,
                                        std::uint32_t height, std::uint32_t side);

}  // namespace warpview
