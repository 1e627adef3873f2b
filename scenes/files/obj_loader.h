// Wavefront OBJ files.
#pragma once

#include <filesystem>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Reads an OBJ file and the material files and textures that it names. All objects and groups
// become one mesh; lines and points are left out; polygons are cut into triangles.
//
// Error, with file, line where known, and remedy: the file cannot be read, is no text, holds no OBJ
// statement at all, or goes beyond `limits`. A file without faces is an empty mesh. LoadCancelled
// after control.cancel(). Everything else is mended and told in mesh.warnings, one for each kind:
// - a vertex with a coordinate that is missing or no finite number gets NaN as its position;
// - a normal that is missing, zero or not finite becomes the area-weighted mean of the faces around
//   its vertex (of its own face where that is zero); a texture coordinate like that becomes 0;
// - a face with fewer than three corners or an index out of range is dropped and counted;
// - materials and textures that are missing or broken: see scenes/materials.h.
Mesh load_obj(const std::filesystem::path& path, LoadControl& control,
              const LoadLimits& limits = {});

}  // namespace warpview
