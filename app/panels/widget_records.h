// The records of widgets, as they are drawn: what the functions of named_widgets.h write.
#pragma once

#include <imgui_internal.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "app/panels/named_widgets.h"

namespace warpview::ui {

// What a record has besides its place.
struct WidgetState {
  std::optional<bool> on{};
  std::optional<double> value{};
  std::optional<std::string> text{};
};

// Is the next widget drawn disabled?
bool is_disabled();

// Writes the widget that was drawn last, which the keyboard's focus can be on.
void write_last(const char* kind, std::string_view label, WidgetState state = {});
// Writes a menu or list before it begins, as it changes the current window. Returns its place in
// the log.
std::size_t write_opener(const char* kind, const char* label, ImVec2 size, bool enabled,
                         WidgetState state = {});
// It has begun.
void note_opened(std::size_t index, bool open);

}  // namespace warpview::ui
