// Materials of an OBJ file: its MTL files and the textures that they name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/files/warnings.h"

namespace warpview {

// What an OBJ file says of its materials.
struct MaterialRequest {
  std::vector<std::string> libraries;  // what stands behind each `mtllib`
  std::vector<std::string> names;      // of `usemtl`, each once
};

// Fills mesh.materials with the default material and those named, and mesh.textures with what they
// need. Returns, for each name, its index in mesh.materials; 0 for one that no library holds.
// Nothing that is missing or broken here is an error, nor is a texture beyond what is left of
// limits.memory: each kind of trouble is one warning, and so is each kind of thing that the
// materials say and that is not drawn. docs/obj-files.md lists them. Names may lead out of the OBJ
// file's folder, which is told. LoadCancelled after control.cancel().
std::vector<std::uint32_t> load_materials(const std::filesystem::path& obj_file,
                                          const MaterialRequest& request, LoadControl& control,
                                          const LoadLimits& limits, Mesh& mesh, Warnings& warnings);

}  // namespace warpview
