// De-duplication of triangle corners into vertices and indices.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"
#include "gpu/scan/scan.h"

namespace warpview {

// What a triangle knows of one of its corners; also what a vertex is. 32 bytes.
struct alignas(16) Vertex {
  Vec3 position;
  Vec3 normal;
  Vec2 texcoord;
};
static_assert(sizeof(Vertex) == 32);

// Two corners are one vertex when all eight floats are equal bit by bit, except that -0 equals 0
// (input is free of NaN). Vertices come out in order of their first corner, on every variant:
//   vertices[indices[c]] == corners[c] for every corner c < *count.
// corners, indices and vertices have room for n.
struct DedupArgs {
  const Vertex* corners = nullptr;
  const std::uint32_t* count = nullptr;  // device memory: how many of the n corners are real
  std::uint32_t n = 0;
  std::uint32_t* indices = nullptr;
  Vertex* vertices = nullptr;
  std::uint32_t* vertex_count = nullptr;  // device memory, one element
  ScanFunction* scan = nullptr;           // the scan variant that numbers the vertices
};

}  // namespace warpview
