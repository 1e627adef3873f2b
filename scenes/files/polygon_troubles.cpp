#include "scenes/files/polygon_troubles.h"

#include <fmt/format.h>

namespace warpview {

void PolygonTroubles::add(const PolygonBlock& block, std::uint64_t lines) {
  malformed_faces.add(block.malformed_faces, lines);
  malformed_elements.add(block.malformed_elements, lines);
  malformed_colours.add(block.malformed_colours, lines);
  bad_positions.add(block.bad_positions, lines);
  bad_normals.add(block.bad_normals, lines);
  bad_texcoords.add(block.bad_texcoords, lines);
}

void PolygonTroubles::warn(Warnings& warnings) const {
  const char* const first = unit == Unit::line ? "the first in line" : "the first is number";
  const auto say = [&warnings, first](Weight weight, const Occurrences& what, const char* one,
                                      const char* several, const char* consequence) {
    if (what.count > 0)
      warnings.add(weight, fmt::format("{}, {} {}; {}", counted(what.count, one, several), first,
                                       what.first, consequence));
  };
  if (dropped_faces.count > 0)
    warnings.add(
        Weight::geometry,
        fmt::format("{} dropped, {} {}: an index of a position that is missing, malformed or out "
                    "of range, or fewer than three corners",
                    counted(dropped_faces.count, "face", "faces"), first, dropped_faces.first));
  if (file_has_changed)
    warnings.add(Weight::geometry, "The file changed while it was read; a part may be missing");
  say(Weight::geometry, bad_positions, "vertex without three finite coordinates",
      "vertices without three finite coordinates", "triangles that use them are dropped");
  say(Weight::geometry, malformed_elements, "malformed point or line", "malformed points or lines",
      "ignored");
  say(Weight::geometry, dropped_elements,
      "point or line with an index out of range or a vertex not finite",
      "points or lines with an index out of range or a vertex not finite", "ignored");
  if (lone_vertices > 0)
    warnings.add(Weight::geometry, fmt::format("{} and neither a face, a line nor a point",
                                               counted(lone_vertices, "vertex", "vertices")));
  say(Weight::geometry, given_up_faces, "face with too many corners for good triangulation",
      "faces with too many corners for good triangulation",
      "triangulate the mesh in the program that made it");
  say(Weight::left_out, faces_with_bad_attributes,
      "face with an index of a texture coordinate or normal that is malformed or out of range",
      "faces with an index of a texture coordinate or normal that is malformed or out of range",
      "drawn without them");
  say(Weight::left_out, bad_normals, "normal without three finite numbers",
      "normals without three finite numbers", "computed normals are used");
  say(Weight::left_out, bad_texcoords, "texture coordinate that is not finite",
      "texture coordinates that are not finite", "0 is used");
  say(Weight::left_out, malformed_colours, "vertex colour without three finite numbers",
      "vertex colours without three finite numbers", "white is used");
  say(Weight::left_out, foreign, "line with an unknown statement", "lines with unknown statements",
      "ignored");
}

}  // namespace warpview
