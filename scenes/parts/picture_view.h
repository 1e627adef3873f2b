// What scenes that draw a picture of their own share: how large it is, and from where it is seen.
#pragma once

#include <cstdint>

#include "scenes/controls.h"
#include "scenes/scene.h"

namespace warpview {

inline constexpr Control pixels_control{
    .name = "pixels",
    .title = "Pixels",
    .tooltip =
        "Maximum number of pixels. A larger view is rendered at a lower resolution and enlarged.",
    .effect = Effect::remake,
    .initial = 1U << 21U,
    .least = 3072,
    .most = 1U << 23U,
    .whole = true,
    .logarithmic = true,
    .group = "Picture"};
inline constexpr Control samples_control{
    .name = "samples",
    .title = "Samples",
    .tooltip = "Samples along one side of a pixel. A pixel has the square of this.",
    .effect = Effect::plan,
    .initial = 2,
    .least = 1,
    .most = 4,
    .whole = true,
    .group = "Picture"};

// What draws it: a triangle that covers the view.
inline constexpr DrawCommand picture_command{3, 1, 0, 0, 0};

// The view before there is a camera: from the front, of all of it.
FrameView front_view(const Aabb& bounds);
// From an eye to a target, with y up. Where no field of view is given it is 35 degrees.
FrameView view_from(const Viewpoint& viewpoint, std::uint32_t width, std::uint32_t height);

struct PictureSize {
  std::uint32_t width, height;  // pixels
};
// As large as the view, or of nearly the same shape with at most so many pixels; each side is 1 at
// least.
PictureSize picture_size(std::uint32_t width, std::uint32_t height, std::uint64_t most_pixels);

}  // namespace warpview
