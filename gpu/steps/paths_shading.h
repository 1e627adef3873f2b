// What the steps of gpu/steps/paths.h compute, for kernels and for the reference: a path, surface
// by surface. Additions, products, quotients and square roots alone, without contraction: all
// devices get the same numbers.
#pragma once

#include "gpu/steps/paths.h"
#include "gpu/steps/rays_shading.h"

namespace warpview {

// --- random numbers

struct PathNumbers {
  float a, b, c;       // from 0, below 1
  std::uint32_t bits;  // all 32
};
// The numbers of a pixel's sample, by its bounce and by what they are for. They depend on nothing
// else, so rays in any order draw the same.
//
//   M. Jarzynski, M. Olano, Hash Functions for GPU Rendering, 2020 (pcg4d).
HOST_DEVICE inline PathNumbers path_numbers(const RaysLook& look, std::uint32_t i,
                                            std::uint32_t draw) {
  const RaysPixel pixel = rays_pixel(look, i);
  std::uint32_t v[4] = {pixel.y * look.width + pixel.x, look.sample, draw, look.seed};
  for (std::uint32_t& x : v) x = x * 1664525U + 1013904223U;
  const auto mix = [&v] {
    v[0] += v[1] * v[3];
    v[1] += v[2] * v[0];
    v[2] += v[0] * v[1];
    v[3] += v[1] * v[2];
  };
  mix();
  for (std::uint32_t& x : v) x ^= x >> 16U;
  mix();
  const auto share = [](std::uint32_t x) { return static_cast<float>(x >> 8U) * 0x1p-24F; };
  return {share(v[0]), share(v[1]), share(v[2]), v[3]};
}
enum class PathDraw : std::uint32_t { direction, light };
HOST_DEVICE inline PathNumbers path_numbers(const RaysLook& look, std::uint32_t i,
                                            std::uint32_t bounce, PathDraw what) {
  return path_numbers(look, i, 2 * bounce + static_cast<std::uint32_t>(what));
}
// A number below `share` or not, as another number from 0 to 1 that is independent of that.
HOST_DEVICE inline float path_rest(float number, float share) {
  return number < share ? number / share : (number - share) / (1.0F - share);
}

HOST_DEVICE inline float path_largest(Vec3 v) { return max_of(max_of(v.x, v.y), v.z); }
HOST_DEVICE inline float path_luminance(Vec3 v) {
  return 0.2126F * v.x + 0.7152F * v.y + 0.0722F * v.z;
}
HOST_DEVICE inline bool path_is_over(const PathState& path) {
  return !(path_largest(path.throughput) > 0.0F);
}

// --- surfaces

struct PathSurface {
  bool is_there;
  RaysPoint point;
  float t;  // along the ray
};

// The lamp covers this share of the ceiling's length and width.
inline constexpr float path_lamp_share = 0.3F;
HOST_DEVICE inline Vec3 path_lamp() { return {15.0F, 13.5F, 11.5F}; }
HOST_DEVICE inline float path_lamp_area(const Aabb& room) {
  return (room.max.x - room.min.x) * (room.max.z - room.min.z) * path_lamp_share * path_lamp_share;
}
HOST_DEVICE inline bool path_is_lamp(const Aabb& room, Vec3 place) {
  const Vec3 centre = room.centre();
  const Vec3 half = (room.max - room.min) * (0.5F * path_lamp_share);
  return rays_size(place.x - centre.x) <= half.x && rays_size(place.z - centre.z) <= half.z;
}

// Red at the left, green at the right; floor, ceiling and the other walls are grey.
HOST_DEVICE inline Vec3 path_wall(Vec3 face) {
  if (face.x > 0.0F) return {0.57F, 0.08F, 0.06F};
  if (face.x < 0.0F) return {0.12F, 0.41F, 0.11F};
  return {0.72F, 0.71F, 0.68F};
}

// What a ray meets of the room that meets nothing in it: the inside of the wall where it leaves.
// A camera in front of the room thus sees into it.
HOST_DEVICE inline PathSurface path_room(const Aabb& room, const BoundedRay& ray) {
  PathSurface surface{};
  float first = 0.0F;
  float last = 0x1p100F;
  const auto cut = [&](float low, float high, float origin, float along, Vec3 axis) {
    if (along == 0.0F) {
      if (origin < low || origin > high) last = 0.0F;
      return;
    }
    const float towards = ((along > 0.0F ? high : low) - origin) / along;
    first = max_of(first, ((along > 0.0F ? low : high) - origin) / along);
    if (!(towards < last)) return;
    last = towards;
    surface.point.face = axis * (along > 0.0F ? -1.0F : 1.0F);
  };
  cut(room.min.x, room.max.x, ray.origin.x, ray.direction.x, {1.0F, 0.0F, 0.0F});
  cut(room.min.y, room.max.y, ray.origin.y, ray.direction.y, {0.0F, 1.0F, 0.0F});
  cut(room.min.z, room.max.z, ray.origin.z, ray.direction.z, {0.0F, 0.0F, 1.0F});
  if (!(first < last)) return surface;
  RaysPoint& point = surface.point;
  surface.is_there = true;
  surface.t = last;
  const Vec3 place = ray.origin + ray.direction * last;
  const float size = max_of(rays_size(room.min), rays_size(room.max));
  point.normal = point.face;
  point.from = place + point.face * (rays_rounding * size);
  point.is_front = true;
  point.substance.base_colour = path_wall(point.face);
  if (point.face.y < 0.0F && path_is_lamp(room, place)) point.substance.emission = path_lamp();
  return surface;
}

HOST_DEVICE inline PathSurface path_surface(const RaysLook& look, const RaysMesh& mesh,
                                            const BoundedRay& ray, const RayHit& hit) {
  if (hit.triangle != RayHit::nothing) return {true, rays_point(look, mesh, ray, hit), hit.t};
  if (look.light == RaysLight::room) return path_room(look.room, ray);
  return {};
}

// --- light that paths find by themselves

// The sun is a disk far away: its radius over its distance, and the irradiance of what faces it.
inline constexpr float path_sun_radius = 0.02F;
HOST_DEVICE inline Vec3 path_sun() { return {2.90F, 2.67F, 2.35F}; }

// What arrives from far away. The sun is left out for paths that have met a diffuse surface, as the
// surface's shadow ray has found it.
HOST_DEVICE inline Vec3 path_sky(const RaysLook& look, Vec3 direction, bool with_sun) {
  if (look.light == RaysLight::white) return {1.0F, 1.0F, 1.0F};
  if (look.light != RaysLight::sky) return {0.0F, 0.0F, 0.0F};
  const Vec3 sky = rays_surroundings(direction, 0.0F);
  const float along = dot(direction, look.to_sun);
  constexpr float squared = path_sun_radius * path_sun_radius;
  if (!with_sun || !(along > 0.0F) || 1.0F > along * along * (1.0F + squared)) return sky;
  return sky + path_sun() * (1.0F / (3.14159265F * squared));
}

// Which lights shadow rays go to: the sun with this chance, else what emits by area times
// luminance.
HOST_DEVICE inline float path_lamp_power(const RaysLook& look) {
  if (look.light != RaysLight::room) return 0.0F;
  return path_lamp_area(look.room) * path_luminance(path_lamp());
}
HOST_DEVICE inline float path_power(const RaysLook& look, const PathLights& lights) {
  return lights.power + path_lamp_power(look);
}
HOST_DEVICE inline float path_sun_chance(const RaysLook& look, const PathLights& lights) {
  if (look.light != RaysLight::sky) return 0.0F;
  return lights.power > 0.0F ? 0.5F : 1.0F;
}

// The density per steradian with which a shadow ray goes where this one went: to a point with this
// emission, `way` away, whose face the ray meets.
HOST_DEVICE inline float path_light_density(const RaysLook& look, const PathLights& lights,
                                            Vec3 emission, Vec3 face, Vec3 way) {
  const float squared = dot(way, way);
  const float facing = rays_size(dot(face, way));
  const float power = path_power(look, lights);
  if (!(facing > 0.0F && power > 0.0F)) return 0.0F;
  const float chance = (1.0F - path_sun_chance(look, lights)) * path_luminance(emission) / power;
  return chance * squared * std::sqrt(squared) / facing;
}

// What arrives from the surface that a path has come to. Where a shadow ray could have found it as
// well, both count with a share, by the balance heuristic.
//
//   E. Veach, L. Guibas, Optimally Combining Sampling Techniques for Monte Carlo Rendering, 1995.
HOST_DEVICE inline Vec3 path_emitted(const RaysLook& look, const PathLights& lights,
                                     const BoundedRay& ray, const PathSurface& surface,
                                     const PathState& path) {
  const Vec3 emission = surface.point.substance.emission;
  if (!(path_largest(emission) > 0.0F)) return {0.0F, 0.0F, 0.0F};
  if (!(path.density > 0.0F)) return rays_product(path.throughput, emission);
  const float other =
      path_light_density(look, lights, emission, surface.point.face, ray.direction * surface.t);
  const float share = path.density / (path.density + other);
  return rays_product(path.throughput, emission) * (share > 0.0F ? share : 0.0F);  // never NaN
}

// --- directions

// A direction on the other side of a face, as a mirror has it.
HOST_DEVICE inline Vec3 path_mirrored(Vec3 direction, Vec3 face) {
  return direction - face * (2.0F * dot(direction, face));
}

// Diffuse surfaces draw directions by their cosine to the shading normal. A direction below the
// triangle is mirrored at it, so that no light is lost. Returns the density of a direction: it is
// drawn as it is, or as the mirror image of one below.
HOST_DEVICE inline float path_density(const RaysPoint& point, Vec3 direction) {
  if (!(dot(direction, point.face) > 0.0F)) return 0.0F;
  const float above = max_of(dot(point.normal, direction), 0.0F);
  const float below = max_of(dot(point.normal, path_mirrored(direction, point.face)), 0.0F);
  return (above + below) * (1.0F / 3.14159265F);
}
HOST_DEVICE inline Vec3 path_diffuse(const RaysPoint& point, float u, float v) {
  const Vec3 direction = rays_around(point.normal, rays_hemisphere({u, v}));
  return dot(direction, point.face) < 0.0F ? path_mirrored(direction, point.face) : direction;
}

// What light does at the border of glass.
struct PathBorder {
  float mirrored;     // the share that is reflected, by Fresnel's equations
  float ratio;        // of the indices: in front over behind
  float cosine;       // of the ray to the normal
  float cosine_then;  // of the refracted ray
};
HOST_DEVICE inline PathBorder path_border(float index, bool is_front, float cosine) {
  PathBorder border{1.0F, is_front ? 1.0F / index : index, cosine, 0.0F};
  const float squared = border.ratio * border.ratio * (1.0F - cosine * cosine);
  if (squared >= 1.0F) return border;  // total reflection
  const float then = std::sqrt(1.0F - squared);
  const float across = (border.ratio * cosine - then) / (border.ratio * cosine + then);
  const float within = (cosine - border.ratio * then) / (cosine + border.ratio * then);
  border.mirrored = 0.5F * (across * across + within * within);
  border.cosine_then = then;
  return border;
}

// --- one surface of a path

struct PathScatter {
  Vec3 weight;     // of the light from there
  Vec3 direction;  // of unit length; 0: the path is over
  bool passes;     // does it go through the surface?
  bool is_diffuse;
};

HOST_DEVICE inline PathScatter path_through(const RaysPoint& point, Vec3 direction, Vec3 normal,
                                            float number) {
  const Substance& substance = point.substance;
  const float cosine = min_of(-dot(normal, direction), 1.0F);
  const PathBorder border = path_border(substance.index, point.is_front, cosine);
  if (number < border.mirrored)
    return {{1.0F, 1.0F, 1.0F}, path_mirrored(direction, normal), false, false};
  const Vec3 refracted =
      direction * border.ratio + normal * (border.ratio * border.cosine - border.cosine_then);
  return {substance.filter, rays_unit(refracted), true, false};
}

// The opaque part: some of the light is mirrored, the rest is diffuse.
//
//   C. Schlick, An Inexpensive BRDF Model for Physically-based Rendering, 1994.
HOST_DEVICE inline PathScatter path_opaque(const RaysPoint& point, Vec3 direction, Vec3 normal,
                                           const PathNumbers& numbers, float number) {
  constexpr Vec3 white{1.0F, 1.0F, 1.0F};
  const Substance& substance = point.substance;
  const float grazing = rays_fifth_power(rays_clamp(1.0F + dot(normal, direction)));
  const Vec3 mirror = substance.mirror + (white - substance.mirror) * (substance.edge * grazing);
  const Vec3 diffuse = rays_product(substance.base_colour, white - mirror);
  const float most = path_largest(mirror);
  const float all = most + path_largest(diffuse);
  if (!(all > 0.0F)) return {};
  const float chance = most / all;
  if (number < chance)
    return {mirror * (1.0F / chance), path_mirrored(direction, normal), false, false};
  return {diffuse * (1.0F / (1.0F - chance)), path_diffuse(point, numbers.b, numbers.c), false,
          true};
}

HOST_DEVICE inline PathScatter path_scattered(const RaysPoint& point, Vec3 direction,
                                              const PathNumbers& numbers) {
  // A smooth normal may face away from the ray.
  const Vec3 normal = dot(point.normal, direction) < 0.0F ? point.normal : point.face;
  const float clear = point.substance.clear;
  const float rest = path_rest(numbers.a, clear);
  PathScatter scatter = numbers.a < clear ? path_through(point, direction, normal, rest)
                                          : path_opaque(point, direction, normal, numbers, rest);
  // What smooth normals send to the wrong side of the triangle comes back.
  if ((dot(scatter.direction, point.face) < 0.0F) != scatter.passes)
    scatter.direction = path_mirrored(scatter.direction, point.face);
  return scatter;
}

// --- shadow rays

struct PathShadow {
  BoundedRay ray;
  Vec3 light;  // that arrives if nothing stops the ray, as the path sees it
};

// To the sun: somewhere on its disk.
HOST_DEVICE inline PathShadow path_to_sun(const RaysLook& look, const RaysPoint& point,
                                          const PathState& path, const PathNumbers& numbers,
                                          float chance) {
  const Vec3 disk = rays_hemisphere({numbers.b, numbers.c});
  PathShadow shadow{};
  shadow.ray.origin = point.from;
  shadow.ray.direction = rays_unit(
      rays_around(look.to_sun, {disk.x * path_sun_radius, disk.y * path_sun_radius, 1.0F}));
  shadow.light = rays_product(path.throughput, path_sun()) *
                 (path_density(point, shadow.ray.direction) / chance);
  return shadow;
}

struct PathTarget {
  Vec3 place, face, emission;
};
HOST_DEVICE inline PathTarget path_on_lamp(const Aabb& room, float u, float v) {
  const Vec3 size = room.max - room.min;
  const Vec3 centre = room.centre();
  return {{centre.x + size.x * (path_lamp_share * (u - 0.5F)), room.max.y,
           centre.z + size.z * (path_lamp_share * (v - 0.5F))},
          {0.0F, -1.0F, 0.0F},
          path_lamp()};
}
// The light that a number picks, and a point on it, as likely as any other.
HOST_DEVICE inline PathTarget path_on_light(const PathLights& lights, std::uint32_t bits, float u,
                                            float v) {
  std::uint32_t first = 0;
  std::uint32_t last = lights.count - 1;
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (bits < lights.lights[middle].end)
      last = middle;
    else
      first = middle + 1;
  }
  const PathLight& light = lights.lights[first];
  if (u + v > 1.0F) {  // the other half of the parallelogram
    u = 1.0F - u;
    v = 1.0F - v;
  }
  return {light.corner + light.along * u + light.beside * v,
          rays_unit(cross(rays_unit(light.along), rays_unit(light.beside))), light.emission};
}

// To a point of something that emits. The ray ends before that.
HOST_DEVICE inline PathShadow path_to_target(const RaysLook& look, const PathLights& lights,
                                             const RaysPoint& point, const PathState& path,
                                             const PathTarget& target) {
  constexpr float before = 1.0F - 0x1p-12F;
  const Vec3 way = target.place - point.from;
  const float density = path_density(point, rays_unit(way));
  const float other = path_light_density(look, lights, target.emission, target.face, way);
  if (!(density > 0.0F && other > 0.0F)) return {rays_nothing(), {0.0F, 0.0F, 0.0F}};
  return {{point.from, 0.0F, way, before},
          rays_product(path.throughput, target.emission) * (density / (density + other))};
}

// From a diffuse surface that a path has just left. Paths find lights by chance alone; shadow rays
// look for them.
HOST_DEVICE inline PathShadow path_shadow(const RaysLook& look, const PathLights& lights,
                                          const RaysPoint& point, const PathState& path,
                                          const PathNumbers& numbers) {
  const float sun = path_sun_chance(look, lights);
  if (numbers.a < sun) return path_to_sun(look, point, path, numbers, sun);
  const float power = path_power(look, lights);
  if (!(power > 0.0F)) return {rays_nothing(), {0.0F, 0.0F, 0.0F}};
  const bool to_lamp = path_rest(numbers.a, sun) * power < path_lamp_power(look);
  return path_to_target(look, lights, point, path,
                        to_lamp ? path_on_lamp(look.room, numbers.b, numbers.c)
                                : path_on_light(lights, numbers.bits, numbers.b, numbers.c));
}

// --- a path

// From this bounce on, chance decides whether a path goes on that carries little.
//
//   J. Arvo, D. Kirk, Particle Transport and Image Synthesis, 1990 (Russian roulette).
inline constexpr std::uint32_t path_first_roulette = 3;
HOST_DEVICE inline float path_survival(std::uint32_t bounce, Vec3 throughput) {
  if (bounce < path_first_roulette) return 1.0F;
  return min_of(max_of(path_largest(throughput), 0.05F), 1.0F);
}

// The path of ray i, before its first surface; over where the ray has no pixel.
HOST_DEVICE inline PathState path_of_camera(const RaysLook& look, std::uint32_t i) {
  const float share = i < look.width * look.height ? 1.0F : 0.0F;
  return {{share, share, share}, 0.0F, {}, {0.0F, 0.0F, 0.0F}, 0};
}
// With the light of the last shadow ray.
HOST_DEVICE inline void path_take_pending(PathState& path, bool is_hidden) {
  if (!is_hidden) path.light.xyz = path.light.xyz + path.pending;
  path.pending = {0.0F, 0.0F, 0.0F};
}
// With the light of what the path has come to; the path is over where that is no surface.
HOST_DEVICE inline PathSurface path_arrive(const RaysLook& look, const RaysMesh& mesh,
                                           const PathLights& lights, const BoundedRay& ray,
                                           const RayHit& hit, PathState& path) {
  const PathSurface surface = path_surface(look, mesh, ray, hit);
  Vec3 found{0.0F, 0.0F, 0.0F};
  if (surface.is_there)
    found = path_emitted(look, lights, ray, surface, path);
  else if (path.light.w > 0.0F)  // the camera's ray alone shows the background
    found = rays_product(path.throughput, path_sky(look, ray.direction, path.diffuse == 0));
  path.light.xyz = path.light.xyz + found;
  if (!surface.is_there) path.throughput = {0.0F, 0.0F, 0.0F};
  return surface;
}

struct PathRays {
  BoundedRay next, to_light;
};
// One surface of a path: the step that the page docs/scenes/rays.md describes.
HOST_DEVICE inline PathRays path_scatter(const RaysLook& look, const RaysMesh& mesh,
                                         const PathLights& lights, const BoundedRay& ray,
                                         const RayHit& hit, std::uint32_t i, std::uint32_t bounce,
                                         PathState& path) {
  PathRays rays{rays_nothing(), rays_nothing()};
  if (path_is_over(path)) return rays;
  const PathSurface surface = path_arrive(look, mesh, lights, ray, hit, path);
  if (!surface.is_there) return rays;
  path.light.w = 1.0F;

  const RaysPoint& point = surface.point;
  const PathNumbers numbers = path_numbers(look, i, bounce, PathDraw::direction);
  const PathScatter scatter = path_scattered(point, rays_unit(ray.direction), numbers);
  path.throughput = rays_product(path.throughput, scatter.weight);
  path.density = scatter.is_diffuse ? path_density(point, scatter.direction) : 0.0F;
  if (scatter.is_diffuse) {
    ++path.diffuse;
    const PathNumbers towards = path_numbers(look, i, bounce, PathDraw::light);
    const PathShadow shadow = path_shadow(look, lights, point, path, towards);
    rays.to_light = shadow.ray;
    path.pending = shadow.light;
  }
  const float survival = path_survival(bounce, path.throughput);
  const bool survives =
      static_cast<float>(numbers.bits >> 8U) * 0x1p-24F < survival && !path_is_over(path);
  path.throughput = survives ? path.throughput * (1.0F / survival) : Vec3{0.0F, 0.0F, 0.0F};
  if (!survives) return rays;
  rays.next.origin = scatter.passes ? point.beyond : point.from;
  rays.next.tmin = 0.0F;
  rays.next.direction = scatter.direction;
  rays.next.tmax = BoundedRay{}.tmax;
  return rays;
}

// The light of a path that ends at what its last ray hit.
HOST_DEVICE inline Vec4 path_colour(const RaysLook& look, const RaysMesh& mesh,
                                    const PathLights& lights, const BoundedRay& ray,
                                    const RayHit& hit, bool is_hidden, PathState path) {
  path_take_pending(path, is_hidden);
  if (!path_is_over(path)) path_arrive(look, mesh, lights, ray, hit, path);
  return path.light;
}

}  // namespace warpview
