// PLY files, the Stanford polygon format.
#pragma once

#include <filesystem>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Reads a PLY file, ASCII or binary in either byte order, packed by gzip or not. Elements `vertex`
// (x y z, nx ny nz, red green blue, s t), `face` (vertex_indices, texcoord), `tristrips` and `edge`
// are read, others are skipped. A file with neither faces, strips nor edges is a cloud of points.
//
// Error, with file, line where known, and remedy: the file cannot be read or unpacked, its header
// is malformed, its vertices have no coordinates, it holds none of them, or it exceeds `limits`.
// LoadCancelled after control.cancel(). Other faults are mended and told in mesh.warnings, as by
// load_obj(), with the number of the vertex or face instead of a line. A file that was cut off
// gives what it holds.
Mesh load_ply(const std::filesystem::path& path, LoadControl& control,
              const LoadLimits& limits = {}, const MeshOptions& options = {});

}  // namespace warpview
