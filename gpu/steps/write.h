// Steps that write what is drawn.
//
// Each step writes its output once, in order or by appending, and never reads it: it may be mapped
// memory of OpenGL. Each fills the draw commands of what it wrote; those lie in ordinary device
// memory.
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/mesh.h"

namespace warpview {

// The mesh as vertices, indices, one material per triangle and one colour per corner. A null output
// is not written. Several copies, which differ in their vertices alone, are written one behind the
// other.
struct WriteMeshArgs {
  std::uint32_t copies = 1;
  const Vertex* vertices = nullptr;  // [copies][n_vertices]
  const MeshCounts* counts = nullptr;
  std::uint32_t n_vertices = 0;
  Vertex* out_vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* material = nullptr;
  const std::uint32_t* colours = nullptr;
  std::uint32_t n_triangles = 0;
  std::uint32_t* out_indices = nullptr;
  std::uint32_t* out_material = nullptr;
  std::uint32_t* out_colours = nullptr;
  DrawCommand* triangles = nullptr;  // indexed, three indices per triangle
  DrawCommand* points = nullptr;     // one vertex each
};

// How far the boxes of a node's two children overlap: the surface area that they share over that of
// the node, 0 to 1. A leaf has 0. A ray through the shared part visits both children.
HOST_DEVICE inline float children_overlap(const BvhNode* nodes, const BvhNode& node) {
  if (node.is_leaf()) return 0.0F;
  const BvhNode& left = nodes[node.left];
  const BvhNode& right = nodes[node.right];
  if (!touch(left.box(), right.box())) return 0.0F;
  const Aabb shared{max_of(left.min, right.min), min_of(left.max, right.max)};
  const float whole = node.box().finite_half_area();
  return whole > 0.0F ? shared.finite_half_area() / whole : 0.0F;
}

// The boxes of all nodes at one depth, in any order: 24 vertices (12 lines) and one instance per
// box.
struct WriteBoxesArgs {
  const std::uint32_t* count = nullptr;  // primitives
  Bvh bvh;
  const std::uint32_t* depth = nullptr;
  const std::uint32_t* level = nullptr;  // device memory: which depth
  Aabb* out = nullptr;                   // room for `capacity` boxes
  float* overlaps = nullptr;             // the same: children_overlap() of each; null: not wanted
  DrawCommand* command = nullptr;
  bool appends = false;  // behind the boxes that the command counts already
};

// One box that lies in device memory.
struct WriteOneBoxArgs {
  const Aabb* box = nullptr;
  Aabb* out = nullptr;
  DrawCommand* command = nullptr;
};

// The centres of the primitives' boxes in Morton order, for a line strip.
struct WriteCurveArgs {
  const std::uint32_t* count = nullptr;
  const Aabb* boxes = nullptr;
  const std::uint32_t* primitives = nullptr;  // in Morton order
  std::uint32_t n = 0;
  Vec3* out = nullptr;
  DrawCommand* command = nullptr;
};

}  // namespace warpview
