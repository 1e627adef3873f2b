// Shows ImGui what a frame has seen of the user.
#pragma once

#include "app/window/input_queue.h"

struct ImGuiIO;

namespace warpview {

// Cursor, buttons, wheel, keys, modifiers and letters as the frame has them; before
// ImGui::NewFrame(), once for each frame. Keys are numbers of ImGui's KeysDown.
void show_input(const InputFrame& frame, ImGuiIO& io);

// May keys do something in the view, or are they for a text field, menu, list or dialog? Between
// ImGui::NewFrame() and the first widget.
bool panels_want_keys();

}  // namespace warpview
