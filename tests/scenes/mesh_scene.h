// What the tests of the mesh scene share.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {

inline const SceneKind& mesh_kind() { return *find_scene_kind("mesh"); }

inline std::unique_ptr<Scene> open_scene_of(const SceneKind& kind, Device& device, Mesh mesh,
                                            const std::vector<std::string>& settings = {},
                                            const std::vector<std::string>& variants = {}) {
  auto scene =
      make_scene(kind, device, std::move(mesh), controls_of(kind, settings), wishes_of(variants));
  load(*scene);
  return scene;
}
inline std::unique_ptr<Scene> open_scene(Device& device, Mesh mesh,
                                         const std::vector<std::string>& settings = {},
                                         const std::vector<std::string>& variants = {}) {
  return open_scene_of(mesh_kind(), device, std::move(mesh), settings, variants);
}

inline const Output& output(const Scene& scene, const std::string& name) {
  for (const Output& each : scene.outputs())
    if (name == each.name) return each;
  throw std::logic_error("no output " + name);
}

}  // namespace warpview::test
