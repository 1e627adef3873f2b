#include "scenes/parts/path_lights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "gpu/steps/paths_shading.h"

namespace warpview {
namespace {

double area_of(const PathLight& light) {
  const auto part = [](float a, float b, float c, float d) {
    return static_cast<double>(a) * b - static_cast<double>(c) * d;
  };
  const Vec3 a = light.along;
  const Vec3 b = light.beside;
  return 0.5 *
         std::hypot(part(a.y, b.z, a.z, b.y), part(a.z, b.x, a.x, b.z), part(a.x, b.y, a.y, b.x));
}

double power_of(const PathLight& light) {
  return area_of(light) * static_cast<double>(path_luminance(light.emission));
}

}  // namespace

PathLightTable path_lights(const Mesh& mesh, std::span<const Substance> substances) {
  PathLightTable table;
  double power = 0.0;
  std::vector<double> until;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Vec3 emission = substances[mesh.triangle_material[t]].emission;
    if (!(path_luminance(emission) > 0.0F)) continue;
    const Vec3 a = mesh.corners[3 * t].position;
    const PathLight light{.corner = a,
                          .end = 0,
                          .along = mesh.corners[3 * t + 1].position - a,
                          .beside = mesh.corners[3 * t + 2].position - a,
                          .emission = emission};
    const double of_this = power_of(light);
    if (!(of_this > 0.0 && std::isfinite(of_this))) continue;
    power += of_this;
    until.push_back(power);
    table.lights.push_back(light);
  }
  for (std::size_t i = 0; i < until.size(); ++i)
    table.lights[i].end = static_cast<std::uint32_t>(until[i] / power * 0xffffffffU);
  table.power = static_cast<float>(power);
  if (!std::isfinite(table.power) || !(table.power > 0.0F)) return {};
  return table;
}

std::uint64_t path_light_bytes(const Mesh& mesh) {
  const auto emits = [&mesh](std::uint32_t material) {
    return path_luminance(mesh.materials[material].emissive) > 0.0F;
  };
  const auto lights =
      std::count_if(mesh.triangle_material.begin(), mesh.triangle_material.end(), emits);
  return static_cast<std::uint64_t>(lights) * sizeof(PathLight);
}

Aabb path_room_around(const Aabb& bounds) {
  const Aabb inside = bounds.is_empty() ? Aabb{{-1.0F, -1.0F, -1.0F}, {1.0F, 1.0F, 1.0F}} : bounds;
  const Vec3 centre = inside.centre();
  const Vec3 half = inside.max - centre;
  const float radius = std::max(std::hypot(half.x, half.y, half.z), 1e-6F);
  const float side = 1.4F * radius;
  const float floor = inside.min.y - 1e-3F * radius;
  const float height = std::max(2.2F * radius, 2.0F * half.y + 0.4F * radius);
  return {{centre.x - side, floor, centre.z - side},
          {centre.x + side, floor + height, centre.z + side}};
}

}  // namespace warpview
