// What a tab shows before there is anything to show: a faint example of it, a sentence, and the
// button that has it made.
#pragma once

#include <imgui.h>

#include <functional>
#include <string_view>

#include "app/panels/panels.h"

namespace warpview {

// An example in faint lines, within a box. It shows no numbers, so that it is not taken for
// something measured.
using Example = void (*)(ImDrawList& list, ImVec2 from, ImVec2 to);
void draw_curves_example(ImDrawList& list, ImVec2 from, ImVec2 to);
void draw_busy_example(ImDrawList& list, ImVec2 from, ImVec2 to);
void draw_counters_example(ImDrawList& list, ImVec2 from, ImVec2 to);
void draw_runs_example(ImDrawList& list, ImVec2 from, ImVec2 to);
void draw_seeds_example(ImDrawList& list, ImVec2 from, ImVec2 to);

struct EmptyState {
  Example example = nullptr;  // null: none
  // Draws in the place of the example, over the whole width and as high as it is given.
  std::function<void(float height)> above{};
  std::string_view sentence{};
  std::string_view trouble{};    // why there is nothing though it was asked for; empty: it was not
  const char* button = nullptr;  // null: what is asked for is running
  std::string_view about{};      // the button
};
// Fills what is left of the window. The button has one size, and one place within the panel,
// whatever stands above it. True: it was pressed; it is named "empty/" and its label.
bool draw_empty_state(const PanelState& state, const EmptyState& empty);

// The button of what is to be done next.
bool primary_button(const PanelState& state, const char* label, ImVec2 size);

}  // namespace warpview
