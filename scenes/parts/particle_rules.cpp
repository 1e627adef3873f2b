#include "scenes/parts/particle_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "scenes/files/input_error.h"
#include "scenes/parts/vertices.h"

namespace warpview {
namespace {

constexpr double sixtieth = 1.0 / 60.0;

float largest_side(Vec3 v) { return std::max({v.x, v.y, v.z}); }

// Areas of triangles are computed in floats, and so are the squares of these; and spheres have to
// be larger than what coordinates are rounded to.
void check_particle_lengths(const Aabb& box, double half_side, float radius) {
  constexpr double least = 1e-6;
  constexpr double most = 1e9;
  if (!(half_side >= least && half_side <= most))
    throw InputError(fmt::format("particles in a box of half side {:g}", half_side),
                     fmt::format("it must be between {:g} and {:g}", least, most),
                     "Scale the mesh by a transform in a scene file");
  const float farthest = largest_side(max_of(box.max, box.min * -1.0F));
  const float rounding = std::nextafter(farthest, 2.0F * farthest) - farthest;
  constexpr float roundings = 64.0F;
  if (!(radius >= roundings * rounding))
    throw InputError(fmt::format("particles of radius {:g}", radius),
                     fmt::format("coordinates of {:g} are rounded to {:g}", farthest, rounding),
                     fmt::format("Choose a radius of {:.1g} or more, in half sides of the box",
                                 2.0F * roundings * rounding / half_side));
}

// How high spheres would lie on the floor of the box, in layers.
float layers_of(const ParticleSetting& s) {
  constexpr float packing = 0.6F;
  const float ball = 4.0F / 3.0F * std::numbers::pi_v<float> * s.radius * s.radius * s.radius;
  const float width = s.box.max.x - s.box.min.x;
  const float depth = s.box.max.z - s.box.min.z;
  return std::max(static_cast<float>(s.n) * ball / packing / (width * depth) / (2.0F * s.radius),
                  1.0F);
}

// Substeps per 1/60 s that keep layers * g * dt^2 under a 100th of the radius: with
// the default spring, a sphere at the bottom of a column then overlaps with the next by a 40th of
// it. In a pile some carry several times as much as others.
std::uint32_t substeps_for(const ParticleSetting& s, float gravity) {
  const double most_dt =
      std::sqrt(0.01 * double{s.radius} / std::max(double{layers_of(s)} * double{gravity}, 1e-9));
  return static_cast<std::uint32_t>(std::clamp(std::ceil(sixtieth / most_dt - 1e-6), 1.0, 64.0));
}

// The swing of the mesh: an angle around the z axis.
double angle_at(double time) {
  constexpr double widest = 0.35;  // radians
  constexpr double seconds = 4.0;
  return widest * std::sin(2.0 * std::numbers::pi * time / seconds);
}
Vec3 pivot(const ParticleSetting& setting) {
  const Vec3 c = setting.box.centre();
  return {c.x, setting.box.min.y, c.z};
}
void rotation(double angle, Vec3 (&rows)[3]) {
  const auto c = static_cast<float>(std::cos(angle));
  const auto s = static_cast<float>(std::sin(angle));
  rows[0] = {c, -s, 0.0F};
  rows[1] = {s, c, 0.0F};
  rows[2] = {0.0F, 0.0F, 1.0F};
}

}  // namespace

ParticleSetting setting_of(const Mesh& mesh, const Controls& asked) {
  ParticleSetting s;
  s.is_sample = asked.choice("physics") == static_cast<int>(Physics::sample);
  s.n = static_cast<std::uint32_t>(asked["count"]);
  const auto wanted = static_cast<float>(asked["radius"]);
  const auto edge =
      static_cast<std::uint32_t>(std::ceil(std::cbrt(static_cast<double>(s.n)) - 1e-9));
  if (s.is_sample) {
    // A lattice in the lower corner of a box of side 2, and as many cells per axis as it needs, a
    // power of two.
    s.box = {{-1.0F, -1.0F, -1.0F}, {1.0F, 1.0F, 1.0F}};
    const float most = 1.0F / static_cast<float>(edge);  // then the lattice fills the box
    s.most_radius = double{most};
    s.radius =
        wanted > 0.0F ? std::min(wanted, most) : 1.0F / static_cast<float>(std::bit_ceil(edge));
    s.side = edge;
    s.spacing = 2.0F * s.radius;
    s.origin = {s.radius - 1.0F, s.radius - 1.0F, s.radius - 1.0F};
    check_particle_lengths(s.box, s.half_side, s.radius);
    return s;
  }
  Aabb bounds = bounds_of_finite(mesh);
  if (bounds.is_empty()) bounds = {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
  const Vec3 half = bounds.max * 0.5F - bounds.min * 0.5F;
  const Vec3 centre = bounds.centre();
  // The mesh stands on the floor of a box that is half as wide again.
  const double extent =
      1.5 *
      std::max(largest_side(half),
               1e-3F * largest_side({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)}));
  const float h = extent > 0.0 ? static_cast<float>(extent) : 1.0F;
  s.half_side = h;
  s.mesh_top = bounds.max.y;
  // Lattice cells of all spheres fill a share of the box.
  constexpr double share = 0.12;
  // They begin as a block that is at most so many half sides high.
  constexpr double wide = 1.7;
  constexpr double gap = 2.02;  // between their centres, in radii
  constexpr double most_high = 16.0;
  const double most = std::cbrt(wide * wide * most_high / static_cast<double>(s.n)) / gap;
  const double fitting = 0.5 * std::cbrt(share * 8.0 / static_cast<double>(s.n));
  s.most_radius = most;
  s.radius = h * static_cast<float>(wanted > 0.0F ? std::min(double{wanted}, most) : fitting);
  check_particle_lengths(bounds, extent > 0.0 ? extent : 1.0, s.radius);
  s.spacing = static_cast<float>(gap) * s.radius;
  // More than all of them in one layer is no use.
  s.side =
      static_cast<std::uint32_t>(std::clamp(std::floor(wide * double{h} / double{s.spacing}), 1.0,
                                            std::ceil(std::sqrt(static_cast<double>(s.n)))));
  const std::uint32_t layers = s.n / (s.side * s.side) + 1;
  const float floor = bounds.min.y - 0.02F * h;
  const float above = bounds.max.y + 2.0F * s.radius;
  const float top = std::max(floor + 2.0F * h, above + static_cast<float>(layers + 1) * s.spacing);
  s.box = {{centre.x - h, floor, centre.z - h}, {centre.x + h, top, centre.z + h}};
  const float margin = 0.5F * s.spacing * static_cast<float>(s.side - 1);
  s.origin = {centre.x - margin, top - static_cast<float>(layers) * s.spacing, centre.z - margin};
  return s;
}

bool has_obstacle(const ParticleSetting& setting, const Controls& controls) {
  return controls.on("obstacle") && !setting.is_sample;
}
bool rocks(const ParticleSetting& setting, const Controls& controls) {
  return has_obstacle(setting, controls) && controls.choice("motion") == 1;
}

Deformation swing_pose(const ParticleSetting& setting, double swing_time) {
  Deformation pose{.kind = Deformer::turn, .centre = pivot(setting)};
  rotation(angle_at(swing_time), pose.rows);
  return pose;
}

std::uint32_t substeps_of(const ParticleSetting& setting, const Controls& controls,
                          double seconds) {
  if (setting.is_sample) return 1;
  const auto sixtieths = static_cast<std::uint32_t>(std::ceil(seconds / sixtieth - 1e-6));
  const auto wanted = static_cast<std::uint32_t>(controls["substeps"]);
  if (wanted > 0) return std::min(wanted * sixtieths, 64U);
  const auto g = static_cast<float>(controls["gravity"]) * setting.half_side;
  return std::min(substeps_for(setting, g) * sixtieths, 64U);
}

ParticleRules rules_of(const ParticleSetting& setting, const Controls& controls,
                       const ParticleFrame& frame) {
  ParticleRules r{};
  r.box = setting.box;
  r.radius = setting.radius;
  r.keeps = 1.0F;
  r.side = setting.side;
  r.spacing = setting.spacing;
  r.origin = setting.origin;
  r.seed = static_cast<std::uint32_t>(controls["seed"]);
  r.time = frame.time;
  r.turn[0] = {1.0F, 0.0F, 0.0F};
  r.turn[1] = {0.0F, 1.0F, 0.0F};
  r.turn[2] = {0.0F, 0.0F, 1.0F};
  if (setting.is_sample) {
    r.dt = 0.5F;
    r.gravity = {0.0F, -0.0003F, 0.0F};
    r.restitution = 0.5F;
    r.forces = {.spring = 0.5F, .damping = 0.02F, .shear = 0.1F, .attraction = 0.0F};
    r.emitter = static_cast<std::uint32_t>(Emitter::block);
    r.jitter = 0.01F;
    return r;
  }
  const float h = setting.half_side;
  r.dt = static_cast<float>((frame.seconds > 0.0 ? frame.seconds : sixtieth) / frame.substeps);
  r.gravity = {0.0F, -h * static_cast<float>(controls["gravity"]), 0.0F};
  r.restitution = static_cast<float>(controls["restitution"]);
  r.forces = {.spring = static_cast<float>(controls["spring"]) / r.dt,
              .damping = static_cast<float>(controls["damping"]),
              .shear = static_cast<float>(controls["shear"]),
              .attraction = static_cast<float>(controls["attraction"]) / r.dt};
  r.jitter = 0.1F;
  const auto emitter = static_cast<Emitter>(controls.choice("emitter"));
  r.emitter = static_cast<std::uint32_t>(emitter);
  if (emitter != Emitter::block) {
    // All are born within some ten seconds, layer behind layer.
    constexpr double seconds_to_fill = 10.0;
    const double speed = (emitter == Emitter::fountain ? 2.2 : 0.8) * double{h};
    const double gap = 2.3 * double{setting.radius} / speed;
    const double wanted = std::sqrt(static_cast<double>(setting.n) * gap / seconds_to_fill);
    r.side = static_cast<std::uint32_t>(
        std::clamp(std::ceil(wanted), 1.0, static_cast<double>(setting.side)));
    r.layer_gap = static_cast<float>(gap);
    const float reach = 0.5F * r.spacing * static_cast<float>(r.side - 1);
    const Vec3 centre = setting.box.centre();
    const bool is_rain = emitter == Emitter::rain;
    if (is_rain && r.side > 1) {
      // Drops all over the ceiling.
      r.spacing = 0.9F * 2.0F * h / static_cast<float>(r.side - 1);
      r.jitter = 0.25F * r.spacing / setting.radius;
    }
    const float edge = is_rain && r.side > 1 ? 0.9F * h : reach;
    const float spread = r.jitter * setting.radius;
    // The nozzle is above the mesh, within which they would stay for ever.
    const float nozzle = std::max(centre.y + 0.2F * (setting.box.max.y - centre.y),
                                  setting.mesh_top + setting.radius + spread);
    r.origin = {centre.x - edge,
                is_rain ? setting.box.max.y - 1.5F * setting.radius - spread : nozzle,
                centre.z - edge};
    r.throw_velocity = {0.0F, static_cast<float>(is_rain ? -speed : speed), 0.0F};
  }
  r.pivot = pivot(setting);
  if (rocks(setting, controls)) {
    const double turned = angle_at(frame.swing_time + frame.seconds) - angle_at(frame.swing_time);
    rotation(turned, r.turn);
    if (frame.seconds > 0.0) r.spin = {0.0F, 0.0F, static_cast<float>(turned / frame.seconds)};
  }
  return r;
}

}  // namespace warpview
