// Writes a mesh as a Wavefront OBJ file.
#pragma once

#include <filesystem>

#include "scenes/files/mesh.h"

namespace warpview {

// Equal corners are written once; numbers have the fewest digits that read back as the same float.
// Materials go into a file of the same name with the extension .mtl, textures are not written.
// Points and lines have their colours, and no material.
// Error when a file cannot be written.
void write_obj(const Mesh& mesh, const std::filesystem::path& path);

}  // namespace warpview
