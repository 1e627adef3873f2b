#include "app/window/flight.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <set>
#include <utility>

namespace warpview {
namespace {

constexpr unsigned for_commands = InputEvent::control | InputEvent::alt | InputEvent::super;

struct FlightKey {
  int key;
  glm::vec3 way;  // to the right, up, ahead
};
constexpr std::array flight_keys = {
    FlightKey{GLFW_KEY_W, {0, 0, 1}},  FlightKey{GLFW_KEY_UP, {0, 0, 1}},
    FlightKey{GLFW_KEY_S, {0, 0, -1}}, FlightKey{GLFW_KEY_DOWN, {0, 0, -1}},
    FlightKey{GLFW_KEY_D, {1, 0, 0}},  FlightKey{GLFW_KEY_RIGHT, {1, 0, 0}},
    FlightKey{GLFW_KEY_A, {-1, 0, 0}}, FlightKey{GLFW_KEY_LEFT, {-1, 0, 0}},
    FlightKey{GLFW_KEY_E, {0, 1, 0}},  FlightKey{GLFW_KEY_Q, {0, -1, 0}}};

bool flies(int key) {
  return std::any_of(flight_keys.begin(), flight_keys.end(),
                     [key](const FlightKey& each) { return each.key == key; });
}

// Where the keys that are held lead to, as one step of length 1; 0: nowhere.
glm::vec3 way_of(const std::set<int>& keys) {
  glm::vec3 way(0.0F);
  for (const FlightKey& each : flight_keys)
    if (keys.contains(each.key)) way += each.way;
  const float length = glm::length(way);
  return length > 0.0F ? way / length : way;
}

}  // namespace

InputFrame Flight::take(InputFrame frame, double now, PanelState& panels, Model& model) {
  if (model.scene_name.empty()) panels.flies = false;
  if (!panels.flies) {
    if (std::exchange(flew_, false)) end(model);
    return without_held(std::move(frame));
  }
  const bool begins = !std::exchange(flew_, true);
  if (begins) begin(frame, now);
  advance(now, panels.flight_speed, model.camera);
  const Camera before = model.camera;
  std::erase_if(frame.events, [&](const InputEvent& event) {
    return !take(event, panels.view, panels, model.camera);
  });
  const bool commands = (frame.modifiers & for_commands) != 0;
  way_ = panels.flies && !commands ? way_of(frame.keys) : glm::vec3(0.0F);
  is_fast_ = (frame.modifiers & InputEvent::shift) != 0;
  model.camera_dragged = moves() || !(model.camera == before);

  // What the view or a panel holds is let go.
  if (begins) frame.events.insert(frame.events.begin(), {.kind = InputEvent::Kind::unfocus});
  frame.has_cursor = false;
  held_ = std::exchange(frame.buttons, {});
  frame.presses_button = frame.presses_again = false;
  frame.steps_x = frame.steps_y = 0.0;
  frame.text.clear();
  std::erase_if(frame.keys, flies);
  return frame;
}

bool Flight::moves() const { return way_ != glm::vec3(0.0F); }

void Flight::begin(const InputFrame& frame, double now) {
  last_ = now;
  x_ = frame.x;
  y_ = frame.y;
  pressed_ = {};
}

void Flight::end(Model& model) {
  way_ = glm::vec3(0.0F);
  model.camera_dragged = false;
}

InputFrame Flight::without_held(InputFrame frame) {
  std::erase_if(frame.events, [this](const InputEvent& event) {
    return event.kind == InputEvent::Kind::button && held_[static_cast<std::size_t>(event.code)];
  });
  for (std::size_t button = 0; button < held_.size(); ++button) {
    held_[button] = held_[button] && frame.buttons[button];
    if (held_[button]) frame.buttons[button] = false;
  }
  return frame;
}

void Flight::advance(double now, float speed, Camera& camera) {
  const double seconds = std::clamp(now - std::exchange(last_, now), 0.0, longest_step);
  const float radii = usual_speed * speed * (is_fast_ ? fast : 1.0F) * static_cast<float>(seconds);
  if (moves()) camera.move(way_ * (radii * camera.scene_radius));
}

bool Flight::take(const InputEvent& event, const Area& view, PanelState& panels, Camera& camera) {
  switch (event.kind) {
    case InputEvent::Kind::move: {
      const double dx = event.x - std::exchange(x_, event.x);
      const double dy = event.y - std::exchange(y_, event.y);
      // A quarter of a turn for a way as long as the view is high.
      const float turn = 0.5F * std::numbers::pi_v<float> / std::max(view.height, 1.0F);
      camera.turn(-turn * static_cast<float>(dx), turn * static_cast<float>(dy));
      return false;
    }
    case InputEvent::Kind::button: {
      // When it goes up, so that no panel sees it held.
      bool& pressed = pressed_[static_cast<std::size_t>(event.code)];
      if (!event.down && pressed) panels.flies = false;
      pressed = event.down;
      return false;
    }
    case InputEvent::Kind::scroll:
      panels.flight_speed =
          std::clamp(panels.flight_speed * std::pow(1.25F, static_cast<float>(event.steps_y)),
                     least_speed, most_speed);
      return false;
    case InputEvent::Kind::key:
      if (event.code == GLFW_KEY_ESCAPE && event.down) panels.flies = false;
      if (event.code == GLFW_KEY_ESCAPE) return false;
      return !flies(event.code) || (event.modifiers & for_commands) != 0;
    case InputEvent::Kind::unfocus:
      panels.flies = false;
      return true;
    case InputEvent::Kind::leave:
    case InputEvent::Kind::text:
      return false;
  }
  return true;
}

}  // namespace warpview
