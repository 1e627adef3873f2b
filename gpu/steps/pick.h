// Steps on the picked primitive: the path to its leaf, its triangle, and the first sphere that a
// ray meets.
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

// No primitive.
inline constexpr std::uint32_t nothing_picked = 0xffffffffU;

// Where a primitive's leaf is.
struct LeafPlace {
  std::uint32_t rank;   // among the leaves: its place in Morton order
  std::uint32_t depth;  // edges from the root
};

// The boxes of all nodes from the root to the leaf of a primitive, the root's first, of a tree
// whose depths are computed: 24 vertices (12 lines) and one instance per box. Without such a
// primitive there are no boxes.
struct WritePathArgs {
  const std::uint32_t* count = nullptr;  // primitives, device memory
  Bvh bvh;
  const std::uint32_t* depth = nullptr;       // by node
  const std::uint32_t* primitives = nullptr;  // in Morton order, [n]
  const std::uint32_t* picked = nullptr;      // device memory: which primitive, or nothing_picked
  std::uint32_t n = 0;
  Aabb* out = nullptr;             // [Bvh::longest_path]; null: not wanted
  DrawCommand* command = nullptr;  // written if `out` is wanted
  LeafPlace* leaf = nullptr;       // null: not wanted; unchanged without such a primitive
};

// The corners of a triangle, as they are now; no vertices without such a triangle.
struct WriteTriangleArgs {
  const std::uint32_t* count = nullptr;  // triangles, device memory
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* picked = nullptr;  // device memory: which triangle, or nothing_picked
  Vec3* out = nullptr;                    // [3]
  DrawCommand* command = nullptr;
};

// The first sphere that a ray meets.
struct SphereHit {
  std::uint32_t number = nothing_picked;
  float t = 0.0F;  // hit point: origin + t * direction
  Vec3 centre, velocity;
};

// The first of n spheres of one radius that a ray meets from outside, with t >= 0; of equally near
// ones the one with the smallest number. Spheres whose centre is NaN do not exist.
struct PickSphereArgs {
  const Ray* ray = nullptr;  // device memory
  std::uint32_t n = 0;
  float radius = 0.0F;
  const Vec4* positions = nullptr;   // [n]
  const Vec4* motions = nullptr;     // [n]: velocity, and the number as bits
  std::uint64_t* nearest = nullptr;  // scratch of the step
  SphereHit* hit = nullptr;
};

}  // namespace warpview
