// A part of a polygon file: some lines of an OBJ file, some records of a PLY file. Blocks are read
// one by one, several at a time. What depends on earlier blocks is marked, and corrected when these
// are known (scenes/files/polygon_loader.h).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gpu/runtime/vec.h"
#include "scenes/files/normals.h"
#include "scenes/files/polygon_elements.h"

namespace warpview {

template <class Array>
std::uint64_t bytes_held(const Array& array) {
  return array.capacity() * sizeof(typename Array::value_type);
}

struct PolygonFace {
  std::uint32_t corners;   // how many
  std::uint32_t material;  // 0 for none, else 1 + index of its name
  std::uint32_t where;     // its line, or its number: PolygonTroubles::unit
};

// Vertices are numbered from 0, and lines from 1, which is the block's first.
struct PolygonBlock {
  std::vector<Vec3> positions;  // NaN where one has not three finite numbers
  std::vector<Vec3> normals;    // length 1, or 0 for one that counts as missing
  std::vector<Vec2> texcoords;
  VertexColours colours;

  // Corners of all faces, one after the other. A texture coordinate or a normal whose index is
  // malformed is beyond_any_range.
  std::vector<CornerIndices> corners;
  // Those of `corners` (3 in a row: position, normal, texcoord) that count from the end of what is
  // known where the face stands. They are numbers from the block's first vertex, and may lie before
  // it.
  std::vector<std::uint32_t> relative;
  std::vector<PolygonFace> faces;  // each with three corners at least
  std::uint64_t triangles = 0;

  // Points and lines, with the vertices as the file numbers them.
  struct Element {
    ElementKind kind;
    std::uint32_t vertices;  // how many
    std::uint32_t so_far;    // of the block's own are known where it stands
    std::uint32_t material;
    std::uint64_t where;
  };
  std::vector<Element> elements;
  std::vector<int> element_vertices;  // of all elements, one after the other

  std::vector<std::string> materials;  // that `usemtl` names, each once
  std::uint32_t last_material = keeps_material;
  std::vector<std::string> libraries;  // what stands behind each `mtllib`

  // The number of a material where the block has named none yet: that of the blocks before.
  static constexpr std::uint32_t keeps_material = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t statements = 0;
  std::uint64_t lines = 0;
  std::uint64_t zero_line = 0;  // where a byte 0 stands, which ended the block; 0: nowhere
  Occurrences foreign;          // lines that are no statements known here
  Occurrences malformed_faces, malformed_elements, malformed_colours;
  Occurrences bad_positions, bad_normals, bad_texcoords;

  // That it holds.
  std::uint64_t bytes() const {
    return bytes_held(positions) + bytes_held(normals) + bytes_held(texcoords) + colours.bytes() +
           bytes_held(corners) + bytes_held(relative) + bytes_held(faces) + bytes_held(elements) +
           bytes_held(element_vertices);
  }
};

}  // namespace warpview
