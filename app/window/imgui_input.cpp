#include "app/window/imgui_input.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <iterator>

namespace warpview {

void show_input(const InputFrame& frame, ImGuiIO& io) {
  io.MousePos = frame.has_cursor ? ImVec2(static_cast<float>(frame.x), static_cast<float>(frame.y))
                                 : ImVec2(-FLT_MAX, -FLT_MAX);
  std::copy(frame.buttons.begin(), frame.buttons.end(), std::begin(io.MouseDown));
  // ImGui would hold the frames' times against each other, and slow ones against the user.
  if (frame.presses_button) io.MouseDoubleClickTime = frame.presses_again ? FLT_MAX : 0.0F;
  io.MouseWheelH += static_cast<float>(frame.steps_x);
  io.MouseWheel += static_cast<float>(frame.steps_y);

  std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
  for (const int key : frame.keys)
    if (key >= 0 && key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[key] = true;
  const auto holds = [&frame](InputEvent::Modifier which) {
    return (frame.modifiers & which) != 0;
  };
  io.KeyCtrl = holds(InputEvent::control);
  io.KeyShift = holds(InputEvent::shift);
  io.KeyAlt = holds(InputEvent::alt);
  io.KeySuper = holds(InputEvent::super);
  for (const char32_t letter : frame.text) io.AddInputCharacter(letter);
}

bool panels_want_keys() {
  return ImGui::GetIO().WantTextInput ||
         ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace warpview
