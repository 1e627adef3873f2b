// Wavefront OBJ files.
#pragma once

#include <filesystem>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Reads an OBJ file and the material files and textures that it names. All objects and groups
// become one mesh; polygons are cut into triangles, lines into pieces of two ends. Colours may
// follow the coordinates of vertices.
//
// Error, with file, line where known, and remedy: the file cannot be read, is no text, holds no OBJ
// statement at all, or goes beyond `limits`. A file without faces is a mesh without triangles.
// LoadCancelled after control.cancel(). Everything else is mended and told in mesh.warnings, one
// for each kind:
// - a vertex with a coordinate that is missing or no finite number gets NaN as its position;
// - a normal that is missing, zero or not finite becomes the area-weighted mean of the faces around
//   its vertex up to the next crease (of its own face where that is zero); a texture coordinate
//   like that becomes 0;
// - a face with fewer than three corners, or with an index of a position that is malformed or out
// of
//   range, is dropped and counted, and so is a point or a line that names a vertex that is not
//   there or not finite;
// - an index of a texture coordinate or a normal that is malformed or out of range counts as
// absent;
// - a colour that is not three finite numbers becomes white, one beyond 0 to 1 is cut;
// - materials and textures that are missing or broken, and what of them is not drawn: see
//   scenes/files/materials.h;
// - a file that changes while it is read is an error if nothing to draw came out of it.
Mesh load_obj(const std::filesystem::path& path, LoadControl& control,
              const LoadLimits& limits = {}, const MeshOptions& options = {});

}  // namespace warpview
