// Rays through a bounding volume hierarchy over triangles, or over boxes.
#pragma once

#include <cstdint>

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

// The first hit of a ray, if there is one.
struct RayHit {
  static constexpr std::uint32_t nothing = 0xffffffffU;

  std::uint32_t triangle = nothing;  // or box
  float t = 0.0F;                    // hit point: origin + t * direction
  float u = 0.0F;                    // barycentric coordinate of the triangle's second corner
  float v = 0.0F;                    // and of its third
};

// For each of n rays the nearest hit with t >= 0, on either side of a triangle; of equally near
// ones the one with the smallest number. The tree must be fitted. Triangles without area are not
// hit. In a tree over boxes the leaves' boxes are hit, from outside, or from within where the ray
// leaves them; u and v are 0.
struct TraceArgs {
  const Ray* rays = nullptr;
  std::uint32_t n = 0;
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  RayHit* hits = nullptr;
  std::uint32_t* visited = nullptr;  // by ray: nodes that the walk visited; null: not wanted
  bool is_of_boxes = false;          // then there are neither vertices nor indices
};

}  // namespace warpview
