// What the user chose in a scene, for the next time it is opened.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/render/camera.h"

namespace warpview {

// Parts that the user left as they were are not there. Names may be of things that are gone.
struct SceneMemory {
  static constexpr std::size_t most = 20;             // scenes that are remembered
  static constexpr std::size_t most_names = 64;       // of a part
  static constexpr std::size_t longest_key = 16'384;  // bytes

  struct View {
    // All of the scene is in the view, from these angles; then the last two say nothing.
    bool fits = true;
    UpAxis up = UpAxis::y;
    float yaw = Camera::home_yaw;
    float pitch = Camera::home_pitch;
    float field_of_view = Camera::usual_field_of_view;
    float distance = 1.0F;
    glm::vec3 target{0.0F};

    bool operator==(const View&) const = default;
  };
  struct Choice {
    std::string stage, primitive, variant;
    bool is_usual = false;  // what it has anyway; another device may have another
    bool operator==(const Choice&) const = default;
  };

  // A view under a name that why_no_camera_name() accepts.
  struct NamedCamera {
    std::string name;
    View view;
    bool operator==(const NamedCamera&) const = default;
  };

  std::string key;  // which scene, as memory_key() has it
  std::optional<View> view{};
  std::optional<std::vector<std::pair<std::string, std::string>>> controls{};  // as --set
  std::optional<std::vector<Choice>> variants{};
  std::optional<std::vector<std::string>> shown{};  // outputs
  std::optional<std::vector<NamedCamera>> cameras{};
  // What of look_switches is on, by name: for undoing alone, as all scenes share it.
  std::optional<std::vector<std::string>> look{};

  bool empty() const { return !view && !controls && !variants && !shown && !cameras; }
  bool operator==(const SceneMemory&) const = default;
};

}  // namespace warpview
