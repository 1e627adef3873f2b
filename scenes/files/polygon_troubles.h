// What is wrong with the faces, vertices and lines of a polygon file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/files/polygon_block.h"
#include "scenes/files/text_lines.h"
#include "scenes/files/warnings.h"

namespace warpview {

struct PolygonTroubles {
  // What Occurrences::first is: a line of the file, or a number among all faces or vertices.
  enum class Unit : std::uint8_t { line, record };
  Unit unit = Unit::line;

  // Found in single statements.
  Occurrences foreign;  // lines that are no statements known here
  Occurrences malformed_faces, malformed_elements, malformed_colours;
  Occurrences bad_positions, bad_normals, bad_texcoords;
  // Found once all statements are known.
  Occurrences dropped_faces;  // malformed ones included
  Occurrences faces_with_bad_attributes;
  Occurrences given_up_faces;  // too hard to cut
  Occurrences dropped_elements;
  std::size_t lone_vertices = 0;  // of a file without a face, a line or a point
  bool file_has_changed = false;  // while it was read

  // Adds those of a block, but for foreign lines. `lines` stand before the block.
  void add(const PolygonBlock& block, std::uint64_t lines);
  // A warning for each kind of trouble.
  void warn(Warnings& warnings) const;
};

}  // namespace warpview
