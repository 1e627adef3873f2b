#include "scenes/parts/picture_view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "gpu/steps/rays_shading.h"

namespace warpview {

FrameView front_view(const Aabb& bounds) {
  FrameView view;
  view.width = 32;
  view.height = 24;
  const Vec3 middle = bounds.is_empty() ? Vec3{0.0F, 0.0F, 0.0F} : bounds.centre();
  const Vec3 half = bounds.is_empty() ? Vec3{1.0F, 1.0F, 1.0F} : bounds.max - middle;
  const float radius = std::max(std::sqrt(dot(half, half)), 1e-6F);
  constexpr float focal = 3.0F;
  constexpr float aspect = 4.0F / 3.0F;
  view.eye = middle + Vec3{0.0F, 0.0F, 3.2F * radius};
  view.to_clip[0] = focal / aspect;
  view.to_clip[5] = focal;
  view.to_clip[11] = -1.0F;
  view.to_clip[12] = -focal / aspect * middle.x;
  view.to_clip[13] = -focal * middle.y;
  view.to_clip[15] = view.eye.z;
  return view;
}

FrameView view_from(const Viewpoint& viewpoint, std::uint32_t width, std::uint32_t height) {
  constexpr double usual_field_of_view = 35.0;
  const double degrees = viewpoint.field_of_view.value_or(usual_field_of_view);
  const auto focal = static_cast<float>(1.0 / std::tan(degrees * std::numbers::pi / 360.0));
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const Vec3 forward = rays_unit(viewpoint.target - viewpoint.eye);
  const Vec3 right = rays_unit(cross(forward, {0.0F, 1.0F, 0.0F}));
  FrameView view{.eye = viewpoint.eye, .width = width, .height = height};
  const auto set_row = [&view](std::size_t row, Vec3 along) {
    view.to_clip[row] = along.x;
    view.to_clip[4 + row] = along.y;
    view.to_clip[8 + row] = along.z;
    view.to_clip[12 + row] = -dot(along, view.eye);
  };
  set_row(0, right * (focal / aspect));
  set_row(1, cross(right, forward) * focal);
  set_row(3, forward);
  return view;
}

PictureSize picture_size(std::uint32_t width, std::uint32_t height, std::uint64_t most_pixels) {
  const std::uint64_t pixels = std::uint64_t{width} * height;
  if (pixels <= most_pixels) return {width, height};
  const auto most = static_cast<double>(most_pixels);
  const double share = std::sqrt(most / static_cast<double>(pixels));
  const auto smaller = [share, most](std::uint32_t length) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(share * length), 1.0, most));
  };
  const std::uint32_t across = smaller(width);
  return {across, std::min(smaller(height), static_cast<std::uint32_t>(most_pixels / across))};
}

}  // namespace warpview
