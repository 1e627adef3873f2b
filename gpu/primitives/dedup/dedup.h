// De-duplication of triangle corners into vertices and indices.
#pragma once

#include <cstdint>

#include "gpu/primitives/scan/scan.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

// Two corners are one vertex when all eight floats are equal bit by bit, except that -0 equals 0
// (input is free of NaN). Vertices come out in order of their first corner, on every variant:
//   vertices[indices[c]] == corners[c] for every corner c < *count.
// corners, indices and vertices have room for n.
struct DedupArgs {
  const Vertex* corners = nullptr;
  const std::uint32_t* count = nullptr;  // device memory: the number of real corners
  std::uint32_t n = 0;                   // below 2^30
  std::uint32_t* indices = nullptr;
  Vertex* vertices = nullptr;
  std::uint32_t* vertex_count = nullptr;  // device memory, one element
  ScanFunction* scan = nullptr;           // the scan variant that numbers the vertices
};

}  // namespace warpview
