// What the steps of gpu/steps/rays.h compute, for kernels and for the reference. It uses additions,
// products, quotients and square roots alone, and is compiled without contraction: all devices get
// the same numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/operators/texture.h"
#include "gpu/steps/random.h"
#include "gpu/steps/rays.h"
#include "gpu/steps/triangle_values.h"

namespace warpview {

// --- numbers and vectors

HOST_DEVICE inline float rays_size(float x) { return x < 0.0F ? -x : x; }
HOST_DEVICE inline float rays_size(Vec3 v) {
  return max_of(max_of(rays_size(v.x), rays_size(v.y)), rays_size(v.z));
}
HOST_DEVICE inline float rays_clamp(float x) { return x > 0.0F ? x < 1.0F ? x : 1.0F : 0.0F; }
HOST_DEVICE inline float rays_mix(float a, float b, float share) { return a + (b - a) * share; }
HOST_DEVICE inline Vec3 rays_mix(Vec3 a, Vec3 b, float share) { return a + (b - a) * share; }
HOST_DEVICE inline Vec3 rays_product(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
HOST_DEVICE inline float rays_smooth(float low, float high, float x) {
  const float t = rays_clamp((x - low) / (high - low));
  return t * t * (3.0F - 2.0F * t);
}
HOST_DEVICE inline float rays_fifth_power(float x) { return x * x * (x * x) * x; }
// Unit length, whatever the scale; 0 where there is no direction.
HOST_DEVICE inline Vec3 rays_unit(Vec3 v) {
  constexpr float least = 1e-36F;
  constexpr float most = 3e38F;
  const float size = rays_size(v);
  if (!(size > least && size < most)) return {0.0F, 0.0F, 0.0F};
  const Vec3 scaled = v * (1.0F / size);
  return scaled * (1.0F / std::sqrt(dot(scaled, scaled)));
}

// --- pixels and rays

struct RaysPixel {
  std::uint32_t x, y;
};
// The pixel of ray i, which is less than width * height. Groups of 32 rays have tiles of 8 x 4
// pixels, row by row; what is left at the right and at the bottom follows pixel by pixel.
HOST_DEVICE inline RaysPixel rays_pixel(const RaysLook& look, std::uint32_t i) {
  constexpr std::uint32_t across = 8;
  constexpr std::uint32_t down = 4;
  if (look.by_rows != 0) return {i % look.width, i / look.width};
  const std::uint32_t columns = look.width / across;
  const std::uint32_t rows = look.height / down;
  const std::uint32_t in_tiles = columns * rows * rays_of_group;
  if (i < in_tiles) {
    const std::uint32_t tile = i / rays_of_group;
    const std::uint32_t lane = i % rays_of_group;
    return {tile % columns * across + lane % across, tile / columns * down + lane / across};
  }
  i -= in_tiles;
  const std::uint32_t right = look.width - columns * across;
  const std::uint32_t at_right = right * rows * down;
  if (i < at_right) return {columns * across + i % right, i / right};
  i -= at_right;
  return {i % look.width, rows * down + i / look.width};
}

// 2^32 over the plastic number, and over its square.
inline constexpr std::uint32_t rays_step_x = 3242174889U;
inline constexpr std::uint32_t rays_step_y = 2447445414U;

// Where in its pixel a sample is, from 0 to 1: the first in the middle, the others by the plastic
// number's sequence, which fills the square evenly.
//
//   M. Roberts, The Unreasonable Effectiveness of Quasirandom Sequences, 2018.
HOST_DEVICE inline Vec2 rays_place_in_pixel(std::uint32_t sample) {
  constexpr std::uint32_t half = 0x80000000U;
  return {static_cast<float>((half + sample * rays_step_x) >> 8U) * 0x1p-24F,
          static_cast<float>((half + sample * rays_step_y) >> 8U) * 0x1p-24F};
}

HOST_DEVICE inline BoundedRay rays_nothing() {
  return {{0.0F, 0.0F, 0.0F}, 0.0F, {0.0F, 0.0F, 0.0F}, 0.0F};
}

HOST_DEVICE inline BoundedRay rays_camera_ray(const RaysLook& look, std::uint32_t i) {
  if (i >= look.width * look.height) return rays_nothing();
  const RaysPixel pixel = rays_pixel(look, i);
  const Vec2 place = rays_place_in_pixel(look.sample);
  BoundedRay ray;
  ray.origin = look.eye;
  ray.direction = look.corner + look.across * (static_cast<float>(pixel.x) + place.x) +
                  look.down * (static_cast<float>(pixel.y) + place.y);
  return ray;
}

// --- what is hit

struct RaysPoint {
  Vec3 normal;  // of the shading
  Vec3 face;  // of the triangle; both have unit length and are on the side that the ray comes from
  Vec3 from;  // where rays from here begin
  Vec3 beyond;    // and where those begin that pass the triangle
  bool is_front;  // does the ray come to the side where corners are counter-clockwise?
  Substance substance;
};

// A corner as it is seen from one side.
struct RaysCorner {
  Vec3 place, normal;
};

// Rays begin above a surface by this share of its largest coordinate. Rounding moves a place by
// less.
inline constexpr float rays_rounding = 0x1p-17F;

// Rays begin a little above the triangle. Where smooth normals pretend a curved surface they begin
// on that, so that the flat triangle does not shade it. Rays that pass the triangle begin a little
// below it.
//
//   J. Hanika, Hacking the Shadow Terminator, Ray Tracing Gems II, 2021.
HOST_DEVICE inline void rays_begin(const RaysCorner (&corners)[3], const float (&shares)[3],
                                   Vec3 place, RaysPoint& point) {
  float size = 0.0F;
  Vec3 above{0.0F, 0.0F, 0.0F};
  for (int k = 0; k < 3; ++k) {
    size = max_of(size, rays_size(corners[k].place));
    const float height = dot(place - corners[k].place, corners[k].normal);
    if (height < 0.0F) above = above - corners[k].normal * (shares[k] * height);
  }
  point.from = place + above + point.face * (rays_rounding * size);
  point.beyond = place - point.face * (rays_rounding * size);
}

// How many texels of a texture's whole image a pixel covers where its ray hits a triangle. A ray is
// a cone that is as wide as a pixel: `spread` is its section, one unit from where it begins.
//
//   T. Akenine-Moeller et al., Texture Level of Detail Strategies for Real-Time Ray Tracing, Ray
//   Tracing Gems, 2019 (ray cones).
HOST_DEVICE inline float rays_texels(const Texture& texture, const Vec2 (&corners)[3], Vec3 along,
                                     Vec3 beside, const BoundedRay& ray, float t, float spread) {
  const Vec2 u{(corners[1].x - corners[0].x) * texture.scale.x,
               (corners[1].y - corners[0].y) * texture.scale.y};
  const Vec2 v{(corners[2].x - corners[0].x) * texture.scale.x,
               (corners[2].y - corners[0].y) * texture.scale.y};
  const float image = static_cast<float>(texture.width) * static_cast<float>(texture.height);
  const float texels = rays_size(u.x * v.y - u.y * v.x) * image;
  const Vec3 across = cross(along, beside);  // as long as the triangle's area, twice
  const float facing = rays_size(dot(across, rays_unit(ray.direction)));
  return texels * (spread * t * t) / facing;
}

// What a material's colour is multiplied by at a hit.
HOST_DEVICE inline Vec3 rays_texture_colour(const RaysMesh& mesh, const BoundedRay& ray,
                                            const RayHit& hit, const Vertex (&corners)[3],
                                            float spread) {
  const Texture texture = mesh.textures[mesh.material[hit.triangle]];
  if (texture.levels == 0) return {1.0F, 1.0F, 1.0F};
  const Vec2 places[3] = {corners[0].texcoord, corners[1].texcoord, corners[2].texcoord};
  const float texels = rays_texels(texture, places, corners[1].position - corners[0].position,
                                   corners[2].position - corners[0].position, ray, hit.t, spread);
  const float first = 1.0F - hit.u - hit.v;
  const Vec2 place{places[0].x * first + places[1].x * hit.u + places[2].x * hit.v,
                   places[0].y * first + places[1].y * hit.u + places[2].y * hit.v};
  return texture_colour(texture, texture_level_for(texture, texels), place, mesh.tables->linear);
}

// The section of a pixel's cone, one unit along the line of sight.
HOST_DEVICE inline float rays_spread(const RaysLook& look) { return dot(look.across, look.across); }

// The side of the triangle itself decides which way normals point, since a file's winding and
// normals need not agree.
HOST_DEVICE inline RaysPoint rays_point(const RaysLook& look, const RaysMesh& mesh,
                                        const BoundedRay& ray, const RayHit& hit) {
  const std::size_t first = 3 * std::size_t{hit.triangle};
  const float shares[3] = {1.0F - hit.u - hit.v, hit.u, hit.v};
  Vertex vertices[3];
  RaysCorner corners[3];
  for (int k = 0; k < 3; ++k) {
    vertices[k] = mesh.vertices[mesh.indices[first + static_cast<std::size_t>(k)]];
    corners[k] = {vertices[k].position, vertices[k].normal};
  }
  const Vec3 along = corners[1].place - corners[0].place;
  const Vec3 beside = corners[2].place - corners[0].place;
  RaysPoint point{};
  point.face = rays_unit(cross(rays_unit(along), rays_unit(beside)));
  point.is_front = !(dot(point.face, ray.direction) > 0.0F);
  if (!point.is_front) point.face = point.face * -1.0F;
  Vec3 normal{0.0F, 0.0F, 0.0F};
  for (int k = 0; k < 3; ++k) {
    if (dot(corners[k].normal, point.face) < 0.0F) corners[k].normal = corners[k].normal * -1.0F;
    normal = normal + corners[k].normal * shares[k];
  }
  normal = rays_unit(normal);
  point.normal = dot(normal, normal) > 0.0F ? normal : point.face;
  const Vec3 place = corners[0].place + along * hit.u + beside * hit.v;
  rays_begin(corners, shares, place, point);
  point.substance = mesh.substances[mesh.material[hit.triangle]];
  if (mesh.textures)
    point.substance.base_colour =
        rays_product(point.substance.base_colour,
                     rays_texture_colour(mesh, ray, hit, vertices, rays_spread(look)));
  if (mesh.colours) {
    Vec3 colour{0.0F, 0.0F, 0.0F};
    for (int k = 0; k < 3; ++k)
      colour = colour + texel_colour(mesh.tables->linear,
                                     mesh.colours[first + static_cast<std::size_t>(k)]) *
                            shares[k];
    point.substance.base_colour = rays_product(point.substance.base_colour, colour);
  }
  return point;
}

// Kernels are compiled with and without sampling, which takes registers (docs/scenes/rays.md): a
// mesh without textures does not pay for them.
template <bool has_textures>
HOST_DEVICE inline RaysMesh rays_mesh_for(RaysMesh mesh) {
  if constexpr (!has_textures) mesh.textures = nullptr;
  return mesh;
}

// --- shadow rays

// Sine and cosine from -pi/4 to pi/4, to the last bits of a float.
HOST_DEVICE inline float rays_sine(float x) {
  const float s = x * x;
  return x * (1.0F - s / 6.0F * (1.0F - s / 20.0F * (1.0F - s / 42.0F)));
}
HOST_DEVICE inline float rays_cosine(float x) {
  const float s = x * x;
  return 1.0F - s / 2.0F * (1.0F - s / 12.0F * (1.0F - s / 30.0F * (1.0F - s / 56.0F)));
}

// A direction above z = 0, whose density is as its z: the square (u, v) becomes a disk, ring by
// ring, and that is lifted to the hemisphere.
//
//   P. Shirley, K. Chiu, A Low Distortion Map Between Disk and Square, 1997.
HOST_DEVICE inline Vec3 rays_hemisphere(Vec2 square) {
  constexpr float eighth = 0.78539816F;  // of a turn
  const float a = 2.0F * square.x - 1.0F;
  const float b = 2.0F * square.y - 1.0F;
  if (a == 0.0F && b == 0.0F) return {0.0F, 0.0F, 1.0F};
  const bool is_flat = rays_size(a) > rays_size(b);
  const float radius = is_flat ? a : b;
  const float angle = eighth * (is_flat ? b / a : a / b);
  const float along = radius * rays_cosine(angle);
  const float beside = radius * rays_sine(angle);
  return {is_flat ? along : beside, is_flat ? beside : along,
          std::sqrt(max_of(0.0F, 1.0F - radius * radius))};
}

// A direction given by three axes, of which z is `normal`.
//
//   T. Duff et al., Building an Orthonormal Basis, Revisited, 2017.
HOST_DEVICE inline Vec3 rays_around(Vec3 normal, Vec3 direction) {
  const float sign = normal.z < 0.0F ? -1.0F : 1.0F;
  const float a = -1.0F / (sign + normal.z);
  const float b = normal.x * normal.y * a;
  const Vec3 x{1.0F + sign * normal.x * normal.x * a, sign * b, -sign * normal.x};
  const Vec3 y{b, sign + normal.y * normal.y * a, -normal.y};
  return x * direction.x + y * direction.y + normal * direction.z;
}

// The place in the unit square of a pixel's round: the sequence of rays_place_in_pixel(), which
// begins somewhere else in each pixel and sample.
HOST_DEVICE inline Vec2 rays_random(const RaysLook& look, std::uint32_t i, std::uint32_t round) {
  const RaysPixel pixel = rays_pixel(look, i);
  const std::uint32_t number = pixel.y * look.width + pixel.x;
  const std::uint32_t begin_x = scramble(number ^ scramble(look.sample + 1));
  const std::uint32_t begin_y = scramble(begin_x + 1);
  return {static_cast<float>((begin_x + round * rays_step_x) >> 8U) * 0x1p-24F,
          static_cast<float>((begin_y + round * rays_step_y) >> 8U) * 0x1p-24F};
}

// The ray of a round that asks what is near. Directions behind the triangle are mirrored at it.
HOST_DEVICE inline BoundedRay rays_near_ray(const RaysLook& look, const RaysPoint& point,
                                            std::uint32_t i, std::uint32_t round) {
  Vec3 direction = rays_around(point.normal, rays_hemisphere(rays_random(look, i, round)));
  const float height = dot(direction, point.face);
  if (height < 0.0F) direction = direction - point.face * (2.0F * height);
  return {point.from, 0.0F, direction, look.reach};
}

HOST_DEVICE inline BoundedRay rays_shadow_ray(const RaysLook& look, const RaysMesh& mesh,
                                              const BoundedRay& ray, const RayHit& hit,
                                              std::uint32_t i, std::uint32_t round) {
  if (hit.triangle == RayHit::nothing) return rays_nothing();
  const RaysPoint point = rays_point(look, mesh, ray, hit);
  if (look.view == RaysView::occlusion) return rays_near_ray(look, point, i, round);
  if (!(dot(point.normal, look.to_sun) > 0.0F)) return rays_nothing();
  BoundedRay to_sun;
  to_sun.origin = point.from;
  to_sun.direction = look.to_sun;
  return to_sun;
}

// --- light, as shaders/lighting.glsl has it for the other scenes

// Light from direction d, blurred as a surface of this roughness reflects it.
HOST_DEVICE inline Vec3 rays_surroundings(Vec3 d, float roughness) {
  constexpr Vec3 sky{0.72F, 0.83F, 1.00F};
  constexpr Vec3 horizon{0.50F, 0.50F, 0.52F};
  constexpr Vec3 ground{0.17F, 0.14F, 0.12F};
  const float blur = rays_mix(0.12F, 1.0F, roughness);
  const Vec3 upper = rays_mix(horizon, sky, rays_smooth(0.0F, 0.4F + blur, d.y));
  return rays_mix(ground, upper, rays_smooth(-blur, blur, d.y));
}

// Microfacets: GGX distribution over 4 n.l n.v times Smith's visibility in Schlick's form.
HOST_DEVICE inline float rays_highlight(float n_l, float n_v, float n_h, float roughness) {
  const float alpha = roughness * roughness;
  const float alpha2 = alpha * alpha;
  const float d = n_h * n_h * (alpha2 - 1.0F) + 1.0F;
  const float k = 0.5F * alpha;
  const float visibility = 0.25F / ((n_l * (1.0F - k) + k) * (n_v * (1.0F - k) + k));
  return alpha2 / (3.14159265F * d * d) * visibility;
}

// What leaves a surface towards v. `sun` is the share of the sun's light that arrives.
HOST_DEVICE inline Vec3 rays_light(const RaysLook& look, const RaysPoint& point, Vec3 v,
                                   float sun) {
  constexpr Vec3 sun_light{2.00F, 1.84F, 1.62F};
  constexpr Vec3 fill_light{0.16F, 0.21F, 0.30F};
  constexpr Vec3 rim_light{0.80F, 0.95F, 1.20F};
  constexpr Vec3 white{1.0F, 1.0F, 1.0F};
  const Substance& material = point.substance;
  const Vec3 n = point.normal;
  const float n_v = max_of(dot(n, v), 1e-3F);
  const float roughness = max_of(material.roughness, 0.08F);
  const Vec3 diffuse = material.base_colour * (1.0F - material.metallic);
  const Vec3 at_normal =
      rays_mix(Vec3{0.04F, 0.04F, 0.04F}, material.base_colour, material.metallic);

  Vec3 sum = rays_product(diffuse, rays_surroundings(n, 1.0F)) * 0.26F;
  const float smoothness = 1.0F - roughness;
  const Vec3 at_edge = max_of(Vec3{smoothness, smoothness, smoothness}, at_normal);
  const Vec3 mirrored = rays_mix(at_normal, at_edge, rays_fifth_power(rays_clamp(1.0F - n_v)));
  const Vec3 reflected = n * (2.0F * dot(n, v)) - v;
  sum = sum + rays_product(mirrored, rays_surroundings(reflected, roughness));

  const Vec3 h = rays_unit(v + look.to_sun);
  const float n_l = max_of(dot(n, look.to_sun), 0.0F);
  const float at_half = rays_fifth_power(rays_clamp(1.0F - max_of(dot(v, h), 0.0F)));
  const Vec3 fresnel = rays_mix(at_normal, white, at_half);
  const float lobe = rays_highlight(max_of(n_l, 1e-3F), n_v, max_of(dot(n, h), 0.0F), roughness);
  sum =
      sum + rays_product(diffuse * (1.45F / 3.14159265F) + fresnel * lobe, sun_light) * (n_l * sun);

  const Vec3 to_fill = rays_unit({-look.to_sun.x, 0.15F, -look.to_sun.z});
  sum = sum + rays_product(diffuse, fill_light) * (0.5F + 0.5F * dot(n, to_fill));
  const float edge = rays_clamp(1.0F - n_v);
  const float rim = edge * edge * edge * rays_smooth(-0.1F, 0.8F, dot(n, look.to_rim));
  sum = sum +
        rays_product(rim_light, rays_mix(Vec3{0.35F, 0.35F, 0.35F}, material.base_colour, 0.5F)) *
            rim;
  return sum + material.emission;
}

// --- colours

HOST_DEVICE inline Vec3 rays_entry(const Vec3 (&table)[RaysTables::colours], float share) {
  constexpr float last = RaysTables::colours - 1;
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): neither negative nor large
  return table[static_cast<std::uint32_t>(rays_clamp(share) * last + 0.5F)];
}

// What the walk of a ray took, as one number.
HOST_DEVICE inline std::uint32_t rays_steps(const TraceSteps& steps) {
  return steps.nodes + steps.triangles;
}
// Did a ray come to more than the box of all triangles?
HOST_DEVICE inline bool rays_walked(const TraceSteps& steps) {
  return steps.nodes > 1 || steps.triangles > 0;
}

HOST_DEVICE inline Vec4 rays_opaque(Vec3 colour) { return {colour, 1.0F}; }

// Mean steps over the most steps, of the group of ray i.
HOST_DEVICE inline Vec4 rays_lanes(const RaysTables& tables, const TraceSteps* steps,
                                   std::uint32_t i) {
  const TraceSteps* const group = steps + i / rays_of_group * rays_of_group;
  std::uint64_t sum = 0;
  std::uint32_t most = 0;
  bool walked = false;
  for (std::uint32_t k = 0; k < rays_of_group; ++k) {
    const std::uint32_t of_ray = rays_steps(group[k]);
    sum += of_ray;
    most = of_ray > most ? of_ray : most;
    walked = walked || rays_walked(group[k]);
  }
  if (!walked) return {};
  const float share =
      static_cast<float>(sum) / (static_cast<float>(most) * static_cast<float>(rays_of_group));
  return rays_opaque(rays_entry(tables.ramp, share));
}

// The colour of ray i in a view of steps.
HOST_DEVICE inline Vec4 rays_step_colour(const RaysLook& look, const RaysTables& tables,
                                         const TraceSteps* steps, std::uint32_t i) {
  if (look.view == RaysView::lanes) return rays_lanes(tables, steps, i);
  if (!rays_walked(steps[i])) return {};
  const std::uint32_t count = look.view == RaysView::boxes ? steps[i].nodes : steps[i].triangles;
  return rays_opaque(rays_entry(tables.ramp, static_cast<float>(count) / look.most));
}

// The colour of what a ray hit, in a view of surfaces; w is 0 where it hit nothing. `hidden` counts
// the shadow rays of all rounds that hit something.
HOST_DEVICE inline Vec4 rays_hit_colour(const RaysLook& look, const RaysMesh& mesh,
                                        const BoundedRay& ray, const RayHit& hit,
                                        std::uint32_t hidden) {
  const RaysTables& tables = *mesh.tables;
  if (hit.triangle == RayHit::nothing) return {};
  if (look.view == RaysView::depth)
    return rays_opaque(
        rays_entry(tables.ramp, (hit.t - look.nearest) / (look.farthest - look.nearest)));
  const RaysPoint point = rays_point(look, mesh, ray, hit);
  const Vec3 v = rays_unit(ray.direction) * -1.0F;
  switch (look.view) {
    case RaysView::triangles: {
      // A little darker at the rim, so that shapes are seen.
      const float facing = 0.55F + 0.45F * rays_clamp(dot(point.face, v));
      return rays_opaque(rays_entry(tables.blocks, value_of_leaf(hit.triangle)) * facing);
    }
    case RaysView::normals: {
      const auto part = [](float x) {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): neither negative nor large
        return static_cast<std::uint32_t>(rays_clamp(0.5F + 0.5F * x) * 255.0F + 0.5F);
      };
      const Vec3 n = point.normal;
      return rays_opaque(
          texel_colour(tables.linear, part(n.x) | part(n.y) << 8U | part(n.z) << 16U));
    }
    case RaysView::occlusion: {
      const float open = 1.0F - static_cast<float>(hidden) / static_cast<float>(look.rounds);
      return rays_opaque({open, open, open});
    }
    default:
      return rays_opaque(rays_light(look, point, v, hidden > 0 ? 0.0F : 1.0F));
  }
}

HOST_DEVICE inline bool rays_shows_steps(RaysView view) {
  return view == RaysView::boxes || view == RaysView::tests || view == RaysView::lanes;
}

// A sample's colour added to those before it.
HOST_DEVICE inline Vec4 rays_sum(const RaysLook& look, const Vec4& before, const Vec4& colour) {
  if (look.sample == 0) return colour;
  return {before.xyz + colour.xyz, before.w + colour.w};
}

// The pixel of all samples: the mean of those that hit something, and their share as its alpha.
HOST_DEVICE inline std::uint32_t rays_encoded(const RaysLook& look, const RaysTables& tables,
                                              const Vec4& sum) {
  if (!(sum.w > 0.0F)) return 0;
  const bool is_lit = look.view == RaysView::shaded || look.view == RaysView::paths;
  const float most = is_lit ? RaysTables::brightest : 1.0F;
  const std::uint8_t* const table = is_lit ? tables.exposed : tables.plain;
  const Vec3 mean = sum.xyz * (1.0F / (sum.w * most));
  const auto part = [table](float x) {
    constexpr float last = RaysTables::shades - 1;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): neither negative nor large
    return std::uint32_t{table[static_cast<std::uint32_t>(std::sqrt(rays_clamp(x)) * last + 0.5F)]};
  };
  const float share = rays_clamp(sum.w / static_cast<float>(look.samples));
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): neither negative nor large
  const auto alpha = static_cast<std::uint32_t>(share * 255.0F + 0.5F);
  return part(mean.x) | part(mean.y) << 8U | part(mean.z) << 16U | alpha << 24U;
}

}  // namespace warpview
