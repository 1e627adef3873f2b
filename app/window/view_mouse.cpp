#include "app/window/view_mouse.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace warpview {
namespace {

constexpr int left = 0;
constexpr double still = 3.0;  // units of the window that a click may go

// A place of the window within the view: 0 to 1 from its left and from its top.
std::pair<float, float> within(const Area& view, const InputEvent& event) {
  return {(static_cast<float>(event.x) - view.x) / view.width,
          (static_cast<float>(event.y) - view.y) / view.height};
}

}  // namespace

void ViewMouse::take(const InputFrame& frame, bool panels_want_it, const Area& view, Model& model) {
  if (view.width <= 0.0F || view.height <= 0.0F) return;
  for (const InputEvent& event : frame.events) switch (event.kind) {
      case InputEvent::Kind::button:
        on_button(event, panels_want_it, view, model);
        break;
      case InputEvent::Kind::move:
        on_move(event, view, model);
        break;
      case InputEvent::Kind::scroll: {
        if (panels_want_it) break;
        const auto [right, down] = within(view, event);
        model.camera.zoom_at(std::pow(0.88F, static_cast<float>(event.steps_y)), right, down,
                             view.width / view.height);
        break;
      }
      case InputEvent::Kind::unfocus:
        drag_ = Drag::none;
        model.camera_dragged = false;
        break;
      case InputEvent::Kind::leave:
      case InputEvent::Kind::key:
      case InputEvent::Kind::text:
        break;
    }
}

void ViewMouse::on_button(const InputEvent& event, bool panels_want_it, const Area& view,
                          Model& model) {
  if (event.down) {
    if (panels_want_it || drag_ != Drag::none) return;
    const bool sideways = event.code != left || (event.modifiers & InputEvent::shift) != 0;
    drag_ = sideways ? Drag::pan : Drag::orbit;
    button_ = event.code;
    way_ = 0.0;
    x_ = event.x;
    y_ = event.y;
    return;
  }
  if (event.code != button_ || drag_ == Drag::none) return;
  if (drag_ == Drag::orbit && way_ < still) on_click(event, view, model);
  drag_ = Drag::none;
  model.camera_dragged = false;
}

void ViewMouse::on_move(const InputEvent& event, const Area& view, Model& model) {
  const auto dx = static_cast<float>(event.x - std::exchange(x_, event.x));
  const auto dy = static_cast<float>(event.y - std::exchange(y_, event.y));
  if (drag_ == Drag::none) return;
  way_ += std::hypot(dx, dy);
  model.camera_dragged = way_ >= still;
  // Half a turn for a drag over the height of the view.
  constexpr float turn = std::numbers::pi_v<float>;
  if (drag_ == Drag::orbit) model.camera.orbit(-turn * dx / view.height, turn * dy / view.height);
  if (drag_ == Drag::pan) model.camera.pan(dx / view.height, dy / view.height);
}

// Asks what lies there; the second time in a row at one place the camera turns around it.
void ViewMouse::on_click(const InputEvent& event, const Area& view, Model& model) {
  const auto [right, down] = within(view, event);
  if (right < 0.0F || right > 1.0F || down < 0.0F || down > 1.0F) return;
  if (model.is_of_a(right)) return;
  const Ray ray = model.camera.ray(right, down, view.width / view.height);
  const bool twice = event.seconds - clicked_ < InputQueue::double_click &&
                     std::hypot(event.x - clicked_x_, event.y - clicked_y_) < still;
  if (twice)
    model.requests.add(request::Pivot{ray});
  else
    model.requests.add(request::Pick{ray});
  clicked_ = twice ? -1e9 : event.seconds;
  clicked_x_ = event.x;
  clicked_y_ = event.y;
}

}  // namespace warpview
