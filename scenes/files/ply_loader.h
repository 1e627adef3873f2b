// PLY files, the Stanford polygon format.
#pragma once

#include <filesystem>
#include <string_view>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Is it the path of such a file, by its ending: .ply or .ply.gz?
bool is_ply(std::string_view spec);

// Reads a PLY file, ASCII or binary in either byte order, packed by gzip or not. Elements `vertex`
// (x y z, nx ny nz, red green blue, s t), `face` (vertex_indices, texcoord), `tristrips` and `edge`
// are read, others are skipped. A file with neither faces, strips nor edges is a cloud of points.
//
// Error, with file, line where known, and remedy: the file cannot be read or unpacked, its header
// is malformed, its vertices have no place, nothing of its data is there, or it goes beyond
// `limits`. LoadCancelled after control.cancel(). Everything else is mended and told in
// mesh.warnings as load_obj() does, with the number of the vertex or face instead of a line; a file
// that ends early gives what is there.
Mesh load_ply(const std::filesystem::path& path, LoadControl& control,
              const LoadLimits& limits = {}, const MeshOptions& options = {});

}  // namespace warpview
