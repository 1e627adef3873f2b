// The keyboard's focus on widgets, as they are drawn: for the functions of named_widgets.h.
#pragma once

#include <imgui.h>

#include <string_view>

namespace warpview::ui {

// Has the item the keyboard's focus, and is that marked?
bool has_ring(ImGuiID id);
// Marks the widget drawn last if it has the keyboard's focus: where ImGui does not, or faintly.
void ring_last();
// The widget drawn last is a stop, unless it was not drawn.
void add_stop_of(std::string_view kind);
// An arrow that goes down now, or is held, where the widget drawn last has the keyboard's focus: -1
// or 1; 0: none. It then moves nothing else.
int arrow_of_last(bool sideways);
// Lets Left and Right move the slider of that name, if it has the keyboard's focus, as ImGui does
// after Space: it is active while one of them is down.
void hold_by_arrows(const char* label);

}  // namespace warpview::ui
