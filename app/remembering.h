// How scenes were left: what is kept of one, and how it is there again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/common/scene_memory.h"
#include "app/model.h"
#include "app/render/camera.h"
#include "app/scene_loader.h"
#include "gpu/runtime/device.h"
#include "scenes/description.h"

namespace warpview {

// What a description, or what it was resolved from, is remembered by: its kind and files, without
// sizes. Empty: it is not remembered, as a mesh of it is moved by a scene file that is not named.
std::string memory_key(const SceneDescription& description);

// The scene that the model holds, with all its parts. `fits`: is all of it in the view?
SceneMemory memory_of(const Model& model, std::string key, bool fits);
// Puts the scene as it is now to the front of the memories. A part that is as the scene began, and
// was not remembered before, is left out.
void remember(std::vector<SceneMemory>& memories, SceneMemory now, const SceneMemory& begun);
const SceneMemory* find_memory(const std::vector<SceneMemory>& memories, const std::string& key);

// Adds to a request, whose description is resolved, what is remembered: over what a scene file
// says, under what the user asks for now. What there is no more is left out.
void recall(SceneLoader::Request& request, const Device& device);
// A camera that fits the scene, from the angles of the view, goes where it was; unless the scene is
// no longer there.
void recall(Camera& fitted, const SceneMemory::View& view);

}  // namespace warpview
