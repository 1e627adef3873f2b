// Vertex reuse in batches: the triangles of a mesh are cut into batches, and within each batch a
// vertex is shaded once, however many of its triangles share it.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// A batch has 32 lanes, one for each corner of its triangles; two are idle. A warp of 64 lanes has
// two batches.
inline constexpr std::uint32_t reuse_triangles = 10;
inline constexpr std::uint32_t reuse_corners = 3 * reuse_triangles;
constexpr std::uint32_t reuse_batches(std::uint32_t triangles) {
  return triangles / reuse_triangles + (triangles % reuse_triangles != 0);
}

// Traits of the variants (gpu/catalogue.def).
struct ReuseTrait {
  static constexpr unsigned every_corner = 1;  // becomes a separate vertex
};

struct ReuseArgs {
  const std::uint32_t* indices;  // 3 n: the vertices of each triangle
  std::uint32_t n;               // triangles, at most 2^29
  const Vec4* vertices;          // positions, with w = 1
  float matrix[16];              // shading multiplies by it, row by row

  // For each batch: the number of vertices it shades; their indices, in the order of first use; the
  // result for each; and for each corner, which of these vertices it is. Elements beyond the count,
  // and beyond the last corner, are not written.
  std::uint32_t* counts;  // [reuse_batches(n)]
  std::uint32_t* shaded;  // [reuse_batches(n)][reuse_corners]
  Vec4* places;           // the same
  std::uint8_t* corners;  // the same
};

}  // namespace warpview
