// A stage of the open scene as a recording: its primitive and variant on the scene's mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/model.h"
#include "app/render/camera.h"
#include "gpu/lab/mesh_input.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Why the stage, with the variant that is chosen, cannot be watched, in a sentence; empty if it
// can.
std::string why_not_watched(const StageRow& stage);

// The first form of the primitive that takes a mesh; none: no form does. Keys are of 32 or 64 bits.
std::optional<int> form_of_mesh(Primitive primitive, int key_bits = 32);

// The first triangles of the mesh, at rest, seen along the camera's direction. Error if there are
// none.
std::shared_ptr<const lab::MeshInput> watched_mesh(
    const Mesh& mesh, const Camera& camera, std::uint32_t most = lab::MeshInput::usual_triangles);

// Has the Steps tab record a stage, by its name, on the mesh. ChoiceError if there is no such
// stage, or if it cannot be watched.
void watch_stage(Model& model, const Mesh& mesh, const std::string& name);

}  // namespace warpview
