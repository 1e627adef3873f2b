#include "scenes/parts/cloth_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/steps/random.h"
#include "scenes/files/input_error.h"
#include "scenes/parts/vertices.h"

namespace warpview {
namespace {

// The cloth is so much wider than the mesh, and begins so far above it.
constexpr float relative_width = 1.8F;
constexpr float gap = 0.08F;  // of its length

void check_cloth_lengths(const Aabb& bounds, double length, float spacing) {
  constexpr double least = 1e-6;
  constexpr double most = 1e9;
  if (!(length >= least && length <= most))
    throw InputError(fmt::format("a cloth of length {:g}", length),
                     fmt::format("it must be between {:g} and {:g}", least, most),
                     "Scale the mesh by a transform in a scene file");
  const Vec3 far = max_of(bounds.max, bounds.min * -1.0F);
  const float farthest = std::max({far.x, far.y, far.z});
  const float rounding = std::nextafter(farthest, 2.0F * farthest) - farthest;
  constexpr float roundings = 256.0F;
  if (!(spacing >= roundings * rounding))
    throw InputError(
        fmt::format("a cloth whose points are {:g} apart", spacing),
        fmt::format("coordinates of {:g} are rounded to {:g}", farthest, rounding),
        "Choose fewer points, or move the mesh to the origin by a transform in a scene file");
}

}  // namespace

ClothSetting cloth_setting_of(const Mesh& mesh, const Controls& asked) {
  ClothSetting s;
  s.shape.side = static_cast<std::uint32_t>(asked["side"]);
  Aabb bounds = bounds_of_finite(mesh);
  if (bounds.is_empty()) bounds = {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
  const Vec3 half = bounds.max * 0.5F - bounds.min * 0.5F;
  const Vec3 centre = bounds.centre();
  // A mesh without extent, or that stands upright as a line, gets a cloth all the same.
  const float widest = std::max(half.x, half.z);
  const float extent = std::max({widest, 0.25F * half.y, 1e-3F * std::abs(centre.x),
                                 1e-3F * std::abs(centre.y), 1e-3F * std::abs(centre.z)});
  const double length = extent > 0.0F ? 2.0 * double{relative_width} * double{extent} : 1.0;
  s.length = static_cast<float>(length);
  s.spacing = s.length / static_cast<float>(s.shape.side - 1);
  s.corner = {centre.x - 0.5F * s.length, bounds.max.y + gap * s.length,
              centre.z - 0.5F * s.length};
  s.floor = bounds.min.y;
  s.bounds = merge(bounds, {s.corner, s.corner + Vec3{s.length, 0.0F, s.length}});
  check_cloth_lengths(s.bounds, length, s.spacing);
  return s;
}

float thickness_of(const ClothSetting& setting, const Controls& controls) {
  return static_cast<float>(controls["thickness"]) * setting.spacing;
}

std::uint32_t iterations_of(const Controls& controls) {
  return static_cast<std::uint32_t>(controls["iterations"]);
}

std::vector<Vec4> cloth_at_rest(const ClothSetting& setting, const Controls& controls) {
  const std::uint32_t side = setting.shape.side;
  const auto pinned = static_cast<Pinned>(controls.choice("pinned"));
  const auto is_pinned = [&](std::uint32_t row, std::uint32_t column) {
    const bool is_corner = (row == 0 || row == side - 1) && (column == 0 || column == side - 1);
    return is_corner && (pinned == Pinned::four || (pinned == Pinned::two && row == 0));
  };
  std::vector<Vec4> points;
  points.reserve(setting.shape.points());
  for (std::uint32_t row = 0; row < side; ++row)
    for (std::uint32_t column = 0; column < side; ++column) {
      // A plane that is pressed together in itself would stay one.
      const float off = 0.02F * setting.spacing * random_signed(row * side + column, 1, 1U);
      const Vec3 place = setting.corner + Vec3{static_cast<float>(column) * setting.spacing, off,
                                               static_cast<float>(row) * setting.spacing};
      points.push_back({place, is_pinned(row, column) ? 0.0F : 1.0F});
    }
  return points;
}

ClothRules cloth_rules_of(const ClothSetting& setting, const Controls& controls, double seconds,
                          double last_dt) {
  const double dt = seconds / iterations_of(controls);
  const double kept = std::pow(1.0 - controls["damping"], dt);
  const double longer = last_dt > 0.0 ? dt / last_dt : 1.0;
  return {.gravity = {0.0F, static_cast<float>(-controls["gravity"]) * setting.length, 0.0F},
          .dt = static_cast<float>(dt),
          .longer = static_cast<float>(longer),
          .onward = static_cast<float>(kept),
          .spacing = setting.spacing,
          .structural = 1.0F,
          .shear = static_cast<float>(controls["shear"]),
          .bend = static_cast<float>(controls["bend"]),
          .thickness = thickness_of(setting, controls),
          .floor = setting.floor,
          .friction = static_cast<float>(
              1.0 - std::pow(1.0 - controls["friction"], 1.0 / iterations_of(controls)))};
}

ParticleRules sphere_rules_of(const ClothSetting& setting, const Controls& controls,
                              double seconds) {
  // No walls but the floor, which is the cloth's own matter.
  const float far = 1e3F * setting.length;
  const Vec3 centre = setting.bounds.centre();
  ParticleRules rules{};
  rules.box = {centre - Vec3{far, far, far}, centre + Vec3{far, far, far}};
  rules.radius = thickness_of(setting, controls);
  rules.dt = static_cast<float>(seconds);
  rules.keeps = 1.0F;
  rules.forces = {.spring = 0.0F,
                  .damping = 0.0F,
                  .shear = static_cast<float>(controls["friction"]),
                  .attraction = 0.0F};
  rules.turn[0] = {1.0F, 0.0F, 0.0F};
  rules.turn[1] = {0.0F, 1.0F, 0.0F};
  rules.turn[2] = {0.0F, 0.0F, 1.0F};
  return rules;
}

}  // namespace warpview
