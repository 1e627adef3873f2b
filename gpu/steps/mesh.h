// Steps on a mesh: dropping triangles that are not finite, moving vertices, boxes of triangles.
// Sizes `n` are upper bounds known to the host; `count` lies on the device.
#pragma once

#include <cstdint>

#include "gpu/primitives/scan/scan.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

// Data-dependent counts, one struct in device memory, read back a frame late.
struct MeshCounts {
  std::uint32_t triangles;  // kept
  std::uint32_t corners;    // 3 * triangles
  std::uint32_t vertices;   // unique
  std::uint32_t dropped;    // triangles with a coordinate that is not a finite number
};

// Drops triangles with a position that is not finite, keeping the order of the rest. `scan` numbers
// the kept ones. The output has room for all n triangles.
struct DropArgs {
  const Vertex* corners = nullptr;          // [3 n]
  const std::uint32_t* material = nullptr;  // [n]
  const std::uint32_t* colours = nullptr;   // [3 n]; null: corners have none
  std::uint32_t n = 0;                      // triangles
  Vertex* kept_corners = nullptr;
  std::uint32_t* kept_material = nullptr;
  std::uint32_t* kept_colours = nullptr;  // written if there are colours
  MeshCounts* counts = nullptr;           // triangles, corners and dropped are written
  ScanFunction* scan = nullptr;
};

// Makes each corner a separate vertex: indices[c] = c, and as many vertices as corners.
struct NumberCornersArgs {
  std::uint32_t n = 0;           // corners at most
  MeshCounts* counts = nullptr;  // corners is read, vertices is written
  std::uint32_t* indices = nullptr;
};

// boxes[t] = bounds of triangle t; the empty box from *count on.
struct TriangleBoxArgs {
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* count = nullptr;  // triangles, device memory
  std::uint32_t n = 0;
  Aabb* boxes = nullptr;
};

}  // namespace warpview
