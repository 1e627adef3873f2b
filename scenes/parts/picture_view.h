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
        "Of the picture, at most: where the view has more it is drawn smaller, and shown as "
        "large.",
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
    .tooltip = "Along a side of a pixel, so that it has the square of it.",
    .effect = Effect::plan,
    .initial = 2,
    .least = 1,
    .most = 4,
    .whole = true,
    .group = "Picture"};

// What draws it: a triangle that covers the view.
inline constexpr DrawCommand picture_command{3, 1, 0, 0, 0};

// From where one looks as long as nobody does: from the front, at all of it.
FrameView front_view(const Aabb& bounds);

struct PictureSize {
  std::uint32_t width, height;  // pixels
};
// As large as the view, or of nearly the same shape with at most so many pixels; each side is 1 at
// least.
PictureSize picture_size(std::uint32_t width, std::uint32_t height, std::uint64_t most_pixels);

}  // namespace warpview
