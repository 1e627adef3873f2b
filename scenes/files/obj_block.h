// What some lines of an OBJ file say. Blocks of a file are read one by one, several at a time;
// what depends on those before them is told so that it can be put right when these are known.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu/runtime/vec.h"
#include "scenes/files/normals.h"
#include "scenes/files/obj_elements.h"
#include "scenes/files/text_lines.h"

namespace warpview {

struct ObjFace {
  std::uint32_t corners;   // how many
  std::uint32_t material;  // 0 for none, else 1 + index of its name
  std::uint32_t line;
};

// Numbers from 0: of vertices, and of lines from the block's first, which is 1.
struct ObjBlock {
  std::vector<Vec3> positions;  // NaN where one has not three finite numbers
  std::vector<Vec3> normals;    // length 1, or 0 for one that counts as missing
  std::vector<Vec2> texcoords;
  ObjColours colours;

  // Corners of all faces, one after the other. A texture coordinate or a normal whose index is
  // malformed is beyond_any_range.
  std::vector<CornerIndices> corners;
  // Those of `corners` (3 in a row: position, normal, texcoord) that count from the end of what is
  // known where the face stands. They are numbers from the block's first vertex, and may lie before
  // it.
  std::vector<std::uint32_t> relative;
  std::vector<ObjFace> faces;  // each with three corners at least
  std::uint64_t triangles = 0;

  // Points and lines, with the vertices as the file numbers them.
  struct Element {
    ObjElementKind kind;
    std::uint32_t vertices;  // how many
    std::uint32_t so_far;    // of the block's own are known where it stands
    std::uint32_t material;
    std::uint64_t line;
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

  std::uint64_t bytes() const;  // that it holds
};

// Reads the lines of `text`, which is changed where lines are joined.
ObjBlock read_obj_block(TextBlock text);

}  // namespace warpview
