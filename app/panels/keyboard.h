// The keyboard's focus: which widget has it, and how keys move it. Without a focus in the panels
// keys are for the view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/named_widgets.h"

namespace warpview {

struct Model;
struct PanelState;

struct KeyboardFocus {
  enum class Move { next, previous, next_panel, previous_panel, menus };
  // What has the focus, by ImGui's numbers.
  struct Place {
    ImGuiID window = 0;  // 0: the view
    ImGuiID widget = 0;
  };

  // A widget has the focus, and is marked: arrows, Space and Enter are for it.
  bool ring = false;
  std::optional<Move> wish{};  // of the keys, for the next frame
  // The menu to open with the next frame: a place in menu_names().
  std::optional<std::size_t> menu{};
  std::string control{};  // of the scene, whose slider is to have the focus; empty: none

  std::vector<ui::FocusStop> stops{};  // of the last frame
  bool in_menus = false;               // the focus is on the menu bar, or in a menu of it
  bool had_menu = false;               // one was open
  Place before_menus{};                // to go back to
  Place last{};                        // in a panel
  bool focuses_first_menu = false;
  int follows = 0;            // frames for a menu that is closed for the one beside it
  ImGuiID follow_from = 0;    // which was that
  bool takes_escape = false;  // a list, menu or widget ends by Escape
  bool alt_down = false;
  bool alt_alone = false;  // it went down, and nothing else since
};

// Called first and last in a frame of the panels.
void begin_keyboard(PanelState& state);
void end_keyboard(PanelState& state);

// Called before each menu of the menu bar: focuses or opens it where that was asked for.
void prepare_menu(PanelState& state, std::size_t index, const char* label);

// Does a dialog have it, such as the help?
bool is_in_dialog(const PanelState& state);
// The title of the window over the panels that has the focus, such as the keys or a page: keys are
// for it, not for the scene behind it. Empty: none has.
std::string focused_window();
// Gives the focus back to the view, or from the menus to what had it before. False: the view had
// it.
bool leave_focus(PanelState& state);
// Does the keyboard's focus take this key from the view? Keys as ImGui's KeysDown numbers them.
bool is_taken_by_focus(const PanelState& state, int key);

// Where a window without widgets of its own, or with few, has the focus: arrows, Page Up, Page
// Down, Home and End scroll it. Within the window, before its contents.
void scroll_by_keys(const char* label);

// What ImGui makes of keys that are down: before ImGui::NewFrame().
void feed_focus();

}  // namespace warpview
