// The keys of commands, in one table: menus, the palette, the Keys page and the window read it.
#pragma once

#include <array>
#include <string_view>

#include "app/panels/panels.h"

namespace warpview {

// `keys`: combinations with " or " between them: "Ctrl+Shift+S", "F1 or ?". Words in them are names
// of keys: Plus, Minus, Space, Tab, Esc, Home, Period, Keypad 1.
struct CommandKeys {
  Command command;
  const char* keys;
  const char* effect;
  // Does it act on the scene or its picture? Then a window over them that has the focus keeps it.
  // Flying does not count: it takes the keys from all windows.
  bool is_of_scene = false;
};

inline constexpr std::array command_keys = {
    CommandKeys{Command::open_palette, "Ctrl+P", "search commands and settings"},
    CommandKeys{Command::open_file, "Ctrl+O", "open a file"},
    CommandKeys{Command::reload, "F5", "reload the files of the scene", true},
    CommandKeys{Command::undo, "Ctrl+Z", "undo settings; the camera is excluded", true},
    CommandKeys{Command::redo, "Ctrl+Shift+Z", "redo them", true},
    CommandKeys{Command::screenshot, "Ctrl+S", "screenshot of the view", true},
    CommandKeys{Command::save_picture, "Ctrl+Shift+S",
                "screenshot in another size, or with the panels", true},
    CommandKeys{Command::save_scene, "Ctrl+E", "save the scene as it is set, with its cameras",
                true},
    CommandKeys{Command::record_video, "Ctrl+R", "record a video of the view", true},
    CommandKeys{Command::fit, "F", "fit the scene into the view", true},
    CommandKeys{Command::fly, "Shift+F", "start or stop flying"},
    CommandKeys{Command::turn_up_axis, "U", "switch between y up and z up", true},
    CommandKeys{Command::compare_ab, "B", "A|B: pin the picture as A, show it beside B, or hide it",
                true},
    CommandKeys{Command::next_ab, "Shift+B", "A|B: divider, difference, A alone", true},
    CommandKeys{Command::swap_ab, "X", "A|B: swap the sides", true},
    CommandKeys{Command::pause, "Space", "pause or run the animation", true},
    CommandKeys{Command::step, "Period", "step one frame while paused", true},
    CommandKeys{Command::toggle_lab, "L", "laboratory: all variants of a primitive side by side"},
    CommandKeys{Command::toggle_panels, "F11", "hide or show the panels"},
    CommandKeys{Command::next_panel, "Shift+F11", "switch panels if only one fits"},
    CommandKeys{Command::larger, "Ctrl+Plus", "larger panels"},
    CommandKeys{Command::smaller, "Ctrl+Minus", "smaller panels"},
    CommandKeys{Command::usual_size, "Ctrl+0", "default size of the panels"},
    CommandKeys{Command::focus_next, "Tab", "focus the next widget"},
    CommandKeys{Command::focus_previous, "Shift+Tab", "focus the previous widget"},
    CommandKeys{Command::focus_next_panel, "F6", "focus the next panel"},
    CommandKeys{Command::focus_previous_panel, "Shift+F6", "focus the previous panel"},
    CommandKeys{Command::focus_menus, "F10", "focus the menus, as Alt does"},
    CommandKeys{Command::toggle_help, "F1 or ?", "this page"},
    CommandKeys{Command::close_dialog, "Esc",
                "close the dialog or panel, or give the keys back to the view"},
    CommandKeys{Command::quit, "Ctrl+Q", "quit"},
};

// Keys that turn the camera to a side.
struct SideKeys {
  Side side;
  const char* keys;
  const char* title;
};

inline constexpr std::array side_keys = {
    SideKeys{Side::home, "Home", "Home"},
    SideKeys{Side::front, "Keypad 1", "Front"},
    SideKeys{Side::back, "Ctrl+Keypad 1", "Back"},
    SideKeys{Side::right, "Keypad 3", "Right"},
    SideKeys{Side::left, "Ctrl+Keypad 3", "Left"},
    SideKeys{Side::top, "Keypad 7", "Top"},
    SideKeys{Side::bottom, "Ctrl+Keypad 7", "Bottom"},
};

constexpr bool is_of_scene(Command command) {
  for (const CommandKeys& row : command_keys)
    if (row.command == command) return row.is_of_scene;
  return false;
}

// Empty: the command has none.
constexpr const char* keys_of(Command command) {
  for (const CommandKeys& row : command_keys)
    if (row.command == command) return row.keys;
  return "";
}

}  // namespace warpview
