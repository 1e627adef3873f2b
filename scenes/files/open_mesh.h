// Every scene by its name: a file, or one that is generated.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// What is shown when nothing is asked for.
inline constexpr std::string_view default_mesh = "generated:knot";
inline constexpr std::string_view teapot_mesh = "generated:teapot";
inline constexpr std::string_view emblem_picture = "generated:emblem";
inline constexpr std::string_view lattice_mesh = "generated:lattice";

struct GeneratedMesh {
  std::string_view spec;     // as open_mesh() takes it; "<N>" stands for a number
  std::string_view summary;  // for people
};
std::span<const GeneratedMesh> generated_meshes();

// Does it name a generated mesh, whether there is such a one or not? Else it is the path of a file.
bool is_generated(std::string_view spec);

// Is it the path of a picture of filled paths, by its ending?
bool is_svg(std::string_view spec);
// Is it the path of a PLY file, by its ending: .ply, or .ply.gz where gzip packed it?
bool is_ply(std::string_view spec);

// `spec` is the path of an SVG file, where is_svg(), of a PLY file, where is_ply(), of an OBJ file
// or, where is_generated(), one of generated_meshes(). Error when there is none such, and where
// load_svg(), load_ply() or load_obj() says so.
Mesh open_mesh(const std::string& spec, LoadControl& control, const LoadLimits& limits = {},
               const MeshOptions& options = {});

}  // namespace warpview
