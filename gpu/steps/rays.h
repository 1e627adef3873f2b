// Steps of a picture that is ray traced: rays through pixels, rays towards the light, colours, and
// the picture of all samples. Primitive::trace runs between them. gpu/steps/rays_shading.h defines
// what they compute. Path tracing has steps of its own (gpu/steps/paths.h).
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/operators/texture.h"
#include "gpu/primitives/trace/trace.h"

namespace warpview {

// What a picture shows.
enum class RaysView : std::uint32_t {
  shaded,     // sun with shadows, sky, smooth normals, colours of materials, textures or corners
  triangles,  // a colour for each triangle
  depth,      // distance along the line of sight
  normals,    // the shading normal
  boxes,      // boxes that a ray tested
  tests,      // triangles that a ray tested
  lanes,      // mean steps of 32 rays over the most steps of one
  occlusion,  // share of the directions above a hit in which nothing is near
  paths       // light that arrives over several surfaces (gpu/steps/paths.h)
};

// What lights the view `paths`, beside materials that emit.
enum class RaysLight : std::uint32_t {
  sky,    // sun and sky
  room,   // a lamp at the ceiling of a closed room around the mesh
  white,  // radiance 1 from every direction
  dark    // nothing
};

// Rays of a warp, as the view `lanes` counts them. The number of rays is a multiple of it.
inline constexpr std::uint32_t rays_of_group = 32;

// One sample of each pixel, and what is made of all samples so far. It is a value of each frame.
struct RaysLook {
  // The ray through (x, y), in pixels from the upper left, has the direction corner + across * x +
  // down * y. It is one unit long along the line of sight, so that t is the depth.
  Vec3 eye, corner, across, down;
  Vec3 to_sun, to_rim;          // of unit length
  std::uint32_t width, height;  // pixels
  std::uint32_t by_rows;        // are rays numbered row by row? Else in tiles of 8 x 4 pixels
  RaysView view;
  float nearest, farthest;  // ends of the ramp of depths
  float most;               // upper end of the ramp of counts
  float reach;              // of rays that ask what is near
  std::uint32_t rounds;     // how many of these each sample has; of `paths`: scatterings of a path
  std::uint32_t sample;     // the number of this sample within its pixel
  std::uint32_t samples;    // how many the sums hold, this one included
  // The view `paths` alone reads these.
  RaysLight light;
  std::uint32_t seed;  // of the random numbers
  Aabb room;           // of RaysLight::room
};

// A material, with linear colours.
struct Substance {
  Vec3 base_colour;
  float roughness;
  Vec3 emission;  // radiance, which may exceed 1
  float metallic;
  // What the view `paths` alone shows.
  Vec3 filter;  // of light that passes
  float clear;  // share of light that meets no opaque surface
  Vec3 mirror;  // reflected as by a mirror by the opaque surface, along its normal
  float index;  // of refraction inside; 1: light goes straight on, and nothing is reflected
  float edge;   // share of the rest of the light that is mirrored at grazing angles
};

// Functions that the steps look up: computed once on the host, so that all devices use the same
// numbers.
struct RaysTables {
  static constexpr std::uint32_t colours = 256;
  static constexpr std::uint32_t shades = 4096;
  static constexpr float brightest = 8.0F;

  Vec3 ramp[colours];    // linear colours from 0 to 1
  Vec3 blocks[colours];  // and those of which neighbours differ
  float linear[256];     // of an sRGB-encoded byte
  // sRGB of a linear number, by its square root: up to 1, and up to `brightest` as film shows it.
  std::uint8_t plain[shades], exposed[shades];
};

// What rays hit, in device memory.
struct RaysMesh {
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;   // three of each triangle
  const std::uint32_t* material = nullptr;  // of each triangle
  const std::uint32_t* colours = nullptr;   // of each corner, as Mesh::corner_colours; null: none
  const Substance* substances = nullptr;    // of each material
  const Texture* textures = nullptr;        // of each material; null: none has one
  const RaysTables* tables = nullptr;
};

// The rays of one sample: ray i is that of pixel rays_pixel(look, i). Those without a pixel hit
// nothing.
struct CameraRaysArgs {
  const RaysLook* look = nullptr;
  std::uint32_t n = 0;  // a multiple of rays_of_group, at least the number of pixels
  BoundedRay* rays = nullptr;
};

struct RayCounts {
  std::uint64_t hits;              // rays that hit something
  std::uint64_t boxes, triangles;  // TraceSteps of all; 0 without `steps`
  std::uint64_t bounces;           // rays by which paths went on; 0 until Step::scatter_paths adds
};
struct CountRaysArgs {
  const RayHit* hits = nullptr;
  const TraceSteps* steps = nullptr;  // null: not counted
  std::uint32_t n = 0;
  RayCounts* counts = nullptr;
};

// From each hit a ray to the sun or, to ask what is near, in one of many directions above it; from
// the others one that hits nothing. Such a view has several rounds: each counts the answers of the
// round before it.
struct ShadowRaysArgs {
  const RaysLook* look = nullptr;
  RaysMesh mesh;
  const BoundedRay* rays = nullptr;
  const RayHit* hits = nullptr;
  std::uint32_t n = 0;
  std::uint32_t round = 0;
  const std::uint32_t* shadow = nullptr;  // the answers of the round before
  std::uint32_t* hidden = nullptr;        // [n]: how many of all rounds before are 1
  BoundedRay* out = nullptr;
};

// Adds the colours of one sample to the sums; the first sample begins them.
struct ShadeRaysArgs {
  const RaysLook* look = nullptr;
  RaysMesh mesh;
  const BoundedRay* rays = nullptr;
  const RayHit* hits = nullptr;
  const TraceSteps* steps = nullptr;  // null: the view does not show them
  // The answers of the last round, and how many of the rounds before are 1; null: the view has no
  // shadows.
  const std::uint32_t* shadow = nullptr;
  const std::uint32_t* hidden = nullptr;
  std::uint32_t n = 0;
  Vec4* sums = nullptr;  // [n]: linear colour, and the number of samples that have one
};

// The picture of all samples.
struct RaysPictureArgs {
  const RaysLook* look = nullptr;
  const RaysTables* tables = nullptr;
  const Vec4* sums = nullptr;
  std::uint32_t n = 0;
  std::uint32_t* out = nullptr;  // [width * height], as OutputKind::image
  DrawCommand* command = nullptr;
};

}  // namespace warpview
