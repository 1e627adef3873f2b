// A user's hands: what they do as events of the window, and a fixture whose panels and view see it.
#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "app/window/imgui_input.h"
#include "app/window/input_queue.h"
#include "app/window/keys.h"
#include "app/window/view_mouse.h"
#include "tests/panels/panel_test.h"

namespace warpview {

// What a user does, without a pause.
class Hands {
 public:
  explicit Hands(InputQueue& queue) : queue_(queue) {}

  void move(double x, double y) {
    x_ = x;
    y_ = y;
    push({});
  }
  void leave() { push({.kind = InputEvent::Kind::leave}); }
  void unfocus() { push({.kind = InputEvent::Kind::unfocus}); }
  void button(bool down, int which = 0) {
    push({.kind = InputEvent::Kind::button, .code = which, .down = down, .modifiers = modifiers_});
  }
  void click(double x, double y) {
    move(x, y);
    button(true);
    button(false);
  }
  void scroll(double steps) {
    push({.kind = InputEvent::Kind::scroll, .modifiers = modifiers_, .steps_y = steps});
  }
  void key(int code, bool down) {
    push({.kind = InputEvent::Kind::key, .code = code, .down = down, .modifiers = modifiers_});
  }
  void tap(int code) {
    key(code, true);
    key(code, false);
  }
  void type(const std::string& letters, int first_code = 400) {
    for (const char letter : letters) {
      const int code = first_code + letter - ' ';
      key(code, true);
      push({.kind = InputEvent::Kind::text, .code = letter});
      key(code, false);
    }
  }
  void hold(InputEvent::Modifier modifier, int code, bool down) {
    modifiers_ = down ? modifiers_ | modifier : modifiers_ & ~modifier;
    key(code, down);
  }
  void wait(double seconds) { now_ += seconds; }

 private:
  void push(InputEvent event) {
    event.seconds = now_;
    event.x = x_;
    event.y = y_;
    queue_.push(event);
    now_ += 1e-3;
  }

  InputQueue& queue_;
  double x_ = 0.0, y_ = 0.0, now_ = 0.0;
  unsigned modifiers_ = 0;
};

// A scene is open, and what the hands do goes through ImGui to the panels and to the view, as in
// the window.
class HandsTest : public PanelTest {
 protected:
  HandsTest() {
    model_ = loaded_model();
    frames(3);
  }

  // Frames until all that the hands did was seen, and one more.
  void see(float seconds = 1.0F / 60.0F) {
    while (!queue_.empty()) see_next(seconds);
    see_next(seconds);
  }

  // Seen, and then nothing for a while.
  using PanelTest::click;
  void click(ImVec2 at) {
    hands_.click(double{at.x}, double{at.y});
    rest();
  }
  void double_click(ImVec2 at) {
    for (int i = 0; i < 2; ++i) hands_.click(double{at.x}, double{at.y});
    rest();
  }
  void drag(ImVec2 from, double dx, double dy = 0.0) {
    hands_.move(double{from.x}, double{from.y});
    hands_.button(true);
    for (int i = 1; i <= 10; ++i) hands_.move(from.x + 0.1 * i * dx, from.y + 0.1 * i * dy);
    hands_.button(false);
    rest();
  }

  // A key, and then nothing until all that follows from it has been drawn.
  void tap(int key) {
    hands_.tap(key);
    follow();
  }
  void tap_with(InputEvent::Modifier modifier, int modifier_key, int key) {
    hands_.hold(modifier, modifier_key, true);
    hands_.tap(key);
    hands_.hold(modifier, modifier_key, false);
    follow();
  }

  // From now on keys are numbered as in the window, and do what they do there.
  void use_keys_of_window() {
    has_keys_of_window_ = true;
    ImGuiIO& io = ImGui::GetIO();
    for (const auto& [key, code] :
         std::initializer_list<std::pair<ImGuiKey, int>>{{ImGuiKey_Tab, GLFW_KEY_TAB},
                                                         {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                                         {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                                         {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                                         {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                                         {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                                         {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                                         {ImGuiKey_Home, GLFW_KEY_HOME},
                                                         {ImGuiKey_End, GLFW_KEY_END},
                                                         {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                                         {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                                         {ImGuiKey_Space, GLFW_KEY_SPACE},
                                                         {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                                         {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                                         {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
                                                         {ImGuiKey_A, GLFW_KEY_A},
                                                         {ImGuiKey_C, GLFW_KEY_C},
                                                         {ImGuiKey_V, GLFW_KEY_V},
                                                         {ImGuiKey_X, GLFW_KEY_X},
                                                         {ImGuiKey_Y, GLFW_KEY_Y},
                                                         {ImGuiKey_Z, GLFW_KEY_Z}})
      io.KeyMap[key] = code;
  }

  InputQueue queue_;
  Hands hands_{queue_};

 private:
  bool has_keys_of_window_ = false;

  void rest() {
    hands_.wait(1.0);
    see();
  }
  void follow() {
    constexpr int frames = 4;  // that menus and lists take
    hands_.wait(1.0);
    for (int i = 0; i < frames; ++i) see();
  }
  void see_next(float seconds) {
    const InputFrame input = queue_.next();
    ImGuiIO& io = ImGui::GetIO();
    show_input(input, io);
    io.DeltaTime = seconds;
    feed_focus();
    ImGui::NewFrame();
    mouse_.take(input, io.WantCaptureMouse, state_.view, model_);
    if (has_keys_of_window_)
      for (const InputEvent& event : input.events) take_key(event, model_, state_);
    draw_panels(model_, state_);
    ImGui::Render();
  }

  ViewMouse mouse_;
};

}  // namespace warpview
