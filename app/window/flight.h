// Flying through the scene: keys move the eye, the mouse turns it.
#pragma once

#include <array>
#include <glm/vec3.hpp>

#include "app/model.h"
#include "app/panels/panels.h"
#include "app/window/input_queue.h"

namespace warpview {

class Flight {
 public:
  static constexpr double longest_step = 0.1;  // seconds: a slow frame is no jump
  // Radii of the scene per second, at the speed to begin with.
  static constexpr float usual_speed = 0.5F;
  static constexpr float fast = 4.0F;  // times, with Shift
  static constexpr float least_speed = 1.0F / 64.0F;
  static constexpr float most_speed = 32.0F;

  // While panels.flies: moves the camera by what was held since the last frame, and turns it by the
  // frame's events. Returns what of the frame is left for panels and view: no mouse, and no key
  // that flies. Escape, a click and another window end it. `now`: seconds by any clock.
  InputFrame take(InputFrame frame, double now, PanelState& panels, Model& model);
  // Is a key held that moves? Then there should be another frame soon.
  bool moves() const;

 private:
  void begin(const InputFrame& frame, double now);
  void end(Model& model);
  void advance(double now, float speed, Camera& camera);
  // Others do not see a button that was held when the flight ended before it went up.
  InputFrame without_held(InputFrame frame);
  // Is the event for others, too?
  bool take(const InputEvent& event, const Area& view, PanelState& panels, Camera& camera);

  bool flew_ = false;    // in the last frame
  double last_ = 0.0;    // frame, when it was
  glm::vec3 way_{0.0F};  // to the right, up, ahead; as the keys were held at the last frame
  bool is_fast_ = false;
  double x_ = 0.0, y_ = 0.0;                              // of the cursor
  std::array<bool, InputFrame::button_count> pressed_{};  // since the flight began
  std::array<bool, InputFrame::button_count> held_{};     // since the flight, or longer
};

}  // namespace warpview
