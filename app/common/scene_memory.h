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

// Holds only the parts that the user changed. Names may refer to things that no longer exist.
struct SceneMemory {
  static constexpr std::size_t most = 20;             // scenes that are remembered
  static constexpr std::size_t most_names = 64;       // of a part
  static constexpr std::size_t longest_key = 16'384;  // bytes

  struct View {
    // The view fits the whole scene, from these angles; the last two members are then unused.
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
    bool is_usual = false;  // it is the default, which may differ on another device
    bool operator==(const Choice&) const = default;
  };

  // A view under a name that why_no_camera_name() accepts.
  struct NamedCamera {
    std::string name;
    View view;
    bool operator==(const NamedCamera&) const = default;
  };

  std::string key;  // of the scene, by memory_key()
  std::optional<View> view{};
  std::optional<std::vector<std::pair<std::string, std::string>>> controls{};  // as --set
  std::optional<std::vector<Choice>> variants{};
  std::optional<std::vector<std::string>> shown{};  // outputs
  std::optional<std::vector<NamedCamera>> cameras{};
  // The look_switches that are on, by name: only for undo, as all scenes share them.
  std::optional<std::vector<std::string>> look{};

  bool empty() const { return !view && !controls && !variants && !shown && !cameras; }
  bool operator==(const SceneMemory&) const = default;
};

}  // namespace warpview
