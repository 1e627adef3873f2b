// Steps of path tracing: light that arrives at a pixel over several surfaces. Primitive::trace runs
// between them, for the paths and for their shadow rays. gpu/steps/paths_shading.h defines what
// they compute.
//
//   J. Kajiya, The Rendering Equation, 1986.
//   S. Laine, T. Karras, T. Aila, Megakernels Considered Harmful, 2013 (a kernel for each stage).
#pragma once

#include <cstdint>

#include "gpu/steps/rays.h"

namespace warpview {

// A triangle that emits light, from both sides.
struct alignas(16) PathLight {
  Vec3 corner;
  // Lights are picked by area times luminance: this one by numbers below `end` and not below the
  // end of the light before it. The last light's end is 2^32 - 1, and that number picks it, too.
  std::uint32_t end;
  Vec3 along, beside;  // from the corner to the others
  Vec3 emission;       // radiance
};
static_assert(sizeof(PathLight) == 64);

// The triangles of a mesh that emit, in device memory.
struct PathLights {
  const PathLight* lights = nullptr;
  std::uint32_t count = 0;
  float power = 0.0F;  // the sum of area times luminance
};

// How far a path has come.
struct alignas(16) PathState {
  // The share of light from the path's end that arrives at the pixel; 0: the path is over.
  Vec3 throughput;
  // The density from which the last direction was drawn, per steradian; 0: it was not drawn, since
  // the camera, a mirror or glass gave it.
  float density;
  Vec4 light;             // that has arrived; w is 1 if the camera's ray hit something
  Vec3 pending;           // arrives if nothing stops the shadow ray
  std::uint32_t diffuse;  // how many diffuse surfaces it has met
};
static_assert(sizeof(PathState) == 48);

// Takes each path over one surface: adds the light that it emits, makes a shadow ray towards a
// light and the ray by which the path goes on. A ray that is not needed hits nothing.
struct ScatterPathsArgs {
  const RaysLook* look = nullptr;
  RaysMesh mesh;
  PathLights lights;
  std::uint32_t n = 0;
  std::uint32_t bounce = 0;               // 0 begins the paths with the camera's rays
  BoundedRay* rays = nullptr;             // [n]: in, that were traced; out, that go on
  const RayHit* hits = nullptr;           // [n]
  const std::uint32_t* shadow = nullptr;  // [n]: the answers of the bounce before
  PathState* paths = nullptr;             // [n]
  BoundedRay* shadow_rays = nullptr;      // [n], out
  RayCounts* counts = nullptr;            // the step adds to `bounces`
};

// Ends the paths and adds their light to the sums; the first sample begins them.
struct ShadePathsArgs {
  const RaysLook* look = nullptr;
  RaysMesh mesh;
  PathLights lights;
  std::uint32_t n = 0;
  const BoundedRay* rays = nullptr;
  const RayHit* hits = nullptr;
  const std::uint32_t* shadow = nullptr;
  const PathState* paths = nullptr;
  Vec4* sums = nullptr;  // [n]: linear colour, and the number of samples that have one
};

}  // namespace warpview
