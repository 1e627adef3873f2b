// What keys do in the window. Keys and modifiers as GLFW numbers them, or as InputEvent does.
#pragma once

#include <optional>

#include "app/panels/panels.h"
#include "app/render/camera.h"
#include "app/window/input_queue.h"

namespace warpview {

// GLFW numbers keys as if all keyboards were American: the one that types this letter. Main thread.
int key_by_letter(int key, int scancode);
// InputEvent's modifiers of GLFW's.
unsigned modifiers_of(int glfw_modifiers);
// Modifiers once a key has gone down or up. Systems differ in whether they count a modifier's own
// key.
unsigned modifiers_after(int key, bool down, int glfw_modifiers);

// What a key asks for with InputEvent's modifiers; none: nothing.
std::optional<Command> command_of(int key, unsigned modifiers);
// What an event of a key does, unless it is for a text field, a list or the widget that has the
// keyboard's focus. Between ImGui::NewFrame() and the first widget.
void take_key(const InputEvent& event, Model& model, PanelState& panels);
// From where it asks to look.
std::optional<Side> side_of(int key, unsigned modifiers);
// The digit on a key, for the outputs of a scene; 0: none.
char digit_of(int key);
// Is it a key that the laboratory's Steps tab takes, though it means something else without it?
bool plays_steps(int key, unsigned modifiers);

}  // namespace warpview
