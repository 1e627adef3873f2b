// The pipeline's own kernels: the glue between primitives, and the writers of what is drawn.
// Each backend provides them as plain functions (gpu/pipeline/mesh_kernels.cu), collected in its
// BackendTable. Sizes `n` are upper bounds known to the host; `count` lies on the device.
#pragma once

#include <cstdint>

#include "gpu/bvh/bvh.h"
#include "gpu/dedup/dedup.h"
#include "gpu/scan/scan.h"

namespace warpview {

// Data-dependent counts, one struct in device memory, read back a frame late.
struct MeshCounts {
  std::uint32_t triangles;  // kept
  std::uint32_t corners;    // 3 * triangles
  std::uint32_t vertices;   // unique
  std::uint32_t dropped;    // triangles with a coordinate that is no finite number
};

// What `tree_statistics` leaves in device memory.
struct TreeStatistics {
  std::uint32_t inner_nodes;
  std::uint32_t max_depth;  // edges from the root to the deepest leaf; 0 for one leaf
  double sah_cost;          // sum over inner nodes of A(node)/A(root) + over leaves of A/A(root)
};

// Layout of OpenGL's DrawArraysIndirectCommand and DrawElementsIndirectCommand.
struct DrawArraysCommand {
  std::uint32_t count, instances, first, base_instance;
};
struct DrawElementsCommand {
  std::uint32_t count, instances, first_index;
  std::int32_t base_vertex;
  std::uint32_t base_instance;
};
// One buffer of commands, written by kernels, read by indirect draws at the members' offsets.
struct DrawCommands {
  DrawElementsCommand mesh;  // triangles, u32 indices
  DrawArraysCommand boxes;   // 24 vertices (12 lines), one instance a box
  DrawArraysCommand curve;   // line strip through the centres in Morton order
  DrawArraysCommand points;  // one point a vertex
};
static_assert(sizeof(DrawCommands) == 68);

// A sine wave that travels along one axis and displaces along `direction`: a vertex at s on the
// axis moves by amplitude * sin(wave_number * s - phase), so that growing phase moves the wave
// forward.
struct Wave {
  float amplitude = 0.0F;       // in units of the mesh
  float wave_number = 1.0F;     // radians per unit along the axis
  float phase = 0.0F;           // radians
  std::uint32_t axis = 0;       // 0 x, 1 y, 2 z: where the wave travels
  std::uint32_t direction = 1;  // axis of displacement
};

// Drops triangles with a position that is not finite, keeping the order of the rest.
// `scan` numbers the kept ones. kept_corners and kept_material have room for all n triangles.
struct DropArgs {
  const Vertex* corners = nullptr;          // [3 n]
  const std::uint32_t* material = nullptr;  // [n]
  std::uint32_t n = 0;                      // triangles
  Vertex* kept_corners = nullptr;
  std::uint32_t* kept_material = nullptr;
  MeshCounts* counts = nullptr;  // triangles, corners and dropped are written
  ScanFunction* scan = nullptr;
};

// boxes[t] = bounds of triangle t; the empty box from *count on.
struct TriangleBoxArgs {
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* count = nullptr;  // triangles, device memory
  std::uint32_t n = 0;
  Aabb* boxes = nullptr;
};

struct DeformArgs {
  const Vertex* rest = nullptr;
  const std::uint32_t* count = nullptr;  // vertices, device memory
  std::uint32_t n = 0;
  const Wave* wave = nullptr;  // device memory, so that a captured graph can be replayed
  Vertex* vertices = nullptr;
};

// depth[node] of every node, and the statistics of the tree.
struct TreeStatisticsArgs {
  const std::uint32_t* count = nullptr;  // primitives, device memory
  Bvh bvh;
  std::uint32_t* depth = nullptr;  // [2 capacity - 1]
  TreeStatistics* out = nullptr;
};

// Writers of drawn buffers. Each writes its output once, in order or by appending, never reads it,
// and fills its member of `commands`, which lies in ordinary device memory.
struct WriteMeshArgs {
  const Vertex* vertices = nullptr;
  const MeshCounts* counts = nullptr;
  std::uint32_t n_vertices = 0;
  Vertex* out_vertices = nullptr;  // null: not wanted
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* material = nullptr;
  std::uint32_t n_triangles = 0;
  std::uint32_t* out_indices = nullptr;   // null: not wanted
  std::uint32_t* out_material = nullptr;  // null: not wanted
  DrawCommands* commands = nullptr;       // mesh and points
};
struct WriteBoxesArgs {
  const std::uint32_t* count = nullptr;  // primitives
  Bvh bvh;
  const std::uint32_t* depth = nullptr;
  const std::uint32_t* level = nullptr;  // device memory: which depth to draw
  Aabb* out = nullptr;                   // room for `capacity` boxes
  DrawCommands* commands = nullptr;      // boxes
};
struct WriteCurveArgs {
  const std::uint32_t* count = nullptr;
  const Aabb* boxes = nullptr;
  const std::uint32_t* primitives = nullptr;  // in Morton order
  std::uint32_t n = 0;
  Vec3* out = nullptr;
  DrawCommands* commands = nullptr;  // curve
};

}  // namespace warpview
