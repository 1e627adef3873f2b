#include "app/window/keys.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/keyboard.h"
#include "app/window/imgui_input.h"
#include "app/window/input_queue.h"

namespace warpview {
namespace {

// The bit of a modifier's own key.
unsigned modifier_of(int key) {
  switch (key) {
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL:
      return InputEvent::control;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT:
      return InputEvent::shift;
    case GLFW_KEY_LEFT_ALT:
    case GLFW_KEY_RIGHT_ALT:
      return InputEvent::alt;
    case GLFW_KEY_LEFT_SUPER:
    case GLFW_KEY_RIGHT_SUPER:
      return InputEvent::super;
    default:
      return 0;
  }
}

// A key, and what is held with it.
struct Chord {
  int key = 0;
  unsigned modifiers = 0;
  bool operator==(const Chord&) const = default;
};

// The keys with a name in command_keys; several do the same.
std::vector<int> keys_named(std::string_view name) {
  struct Row {
    std::string_view name;
    std::array<int, 2> keys;
  };
  static constexpr std::array rows = {
      Row{"Plus", {GLFW_KEY_EQUAL, GLFW_KEY_KP_ADD}},
      Row{"Minus", {GLFW_KEY_MINUS, GLFW_KEY_KP_SUBTRACT}},
      Row{"0", {GLFW_KEY_0, GLFW_KEY_KP_0}},
      Row{"Space", {GLFW_KEY_SPACE}},
      Row{"Tab", {GLFW_KEY_TAB}},
      Row{"Esc", {GLFW_KEY_ESCAPE}},
      Row{"Home", {GLFW_KEY_HOME}},
      Row{"Period", {GLFW_KEY_PERIOD}},
      Row{"Keypad 1", {GLFW_KEY_KP_1}},
      Row{"Keypad 3", {GLFW_KEY_KP_3}},
      Row{"Keypad 7", {GLFW_KEY_KP_7}},
  };
  std::vector<int> keys;
  for (const Row& row : rows)
    if (row.name == name)
      for (const int key : row.keys)
        if (key != 0) keys.push_back(key);
  if (!keys.empty()) return keys;
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return {GLFW_KEY_A + (name[0] - 'A')};
  int number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool is_function =
      name[0] == 'F' && error == std::errc() && end == name.data() + name.size();
  if (is_function) return {GLFW_KEY_F1 + number - 1};
  throw std::logic_error("no key has the name " + std::string(name));
}

// "F1 or ?", "Ctrl+Shift+S".
std::vector<Chord> chords_of(std::string_view keys) {
  constexpr std::string_view either = " or ";
  std::vector<Chord> chords;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(either), keys.size());
    std::string_view name = keys.substr(0, end);
    keys.remove_prefix(std::min(end + either.size(), keys.size()));
    unsigned held = 0;
    const auto take = [&](std::string_view word, InputEvent::Modifier modifier) {
      if (!name.starts_with(word)) return;
      held |= modifier;
      name.remove_prefix(word.size());
    };
    take("Ctrl+", InputEvent::control);
    take("Shift+", InputEvent::shift);
    if (name == "?")
      chords.push_back({GLFW_KEY_SLASH, held | InputEvent::shift});
    else
      for (const int key : keys_named(name)) chords.push_back({key, held});
  }
  return chords;
}

const std::vector<std::pair<Chord, Command>>& command_chords() {
  static const auto all = [] {
    std::vector<std::pair<Chord, Command>> rows;
    for (const CommandKeys& row : command_keys)
      for (const Chord& chord : chords_of(row.keys)) rows.emplace_back(chord, row.command);
    return rows;
  }();
  return all;
}

// They end what is typed, and go on from lists.
bool moves_focus(Command command) {
  return command == Command::focus_next || command == Command::focus_previous ||
         command == Command::focus_next_panel || command == Command::focus_previous_panel ||
         command == Command::focus_menus;
}

// The menu that Alt and its first letter open, or that letter where the menu bar has the focus.
std::optional<std::size_t> menu_of(const InputEvent& event, const PanelState& panels) {
  const bool on_bar = panels.keyboard.in_menus && !panels.keyboard.had_menu;
  if (event.modifiers != (on_bar ? 0U : InputEvent::alt) && event.modifiers != InputEvent::alt)
    return {};
  const auto names = menu_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (event.code == GLFW_KEY_A + (names[i][0] - 'A')) return i;
  return {};
}

// A window over the scene has the focus: the scene gets no keys.
void tell_whose_keys(Command command, const std::string& window, Model& model) {
  for (const CommandKeys& row : command_keys)
    if (row.command == command)
      model.say({Message::Kind::info,
                 fmt::format("{} ({}) acts on the scene: click the scene first, or close {}.",
                             row.keys, row.effect, window)});
}

}  // namespace

int key_by_letter(int key, int scancode) {
  const char* const name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
  if (name[0] >= 'a' && name[0] <= 'z') return GLFW_KEY_A + (name[0] - 'a');
  return key;
}

unsigned modifiers_of(int glfw_modifiers) {
  unsigned modifiers = 0;
  if ((glfw_modifiers & GLFW_MOD_CONTROL) != 0) modifiers |= InputEvent::control;
  if ((glfw_modifiers & GLFW_MOD_SHIFT) != 0) modifiers |= InputEvent::shift;
  if ((glfw_modifiers & GLFW_MOD_ALT) != 0) modifiers |= InputEvent::alt;
  if ((glfw_modifiers & GLFW_MOD_SUPER) != 0) modifiers |= InputEvent::super;
  return modifiers;
}

unsigned modifiers_after(int key, bool down, int glfw_modifiers) {
  const unsigned own = modifier_of(key);
  const unsigned others = modifiers_of(glfw_modifiers);
  return down ? others | own : others & ~own;
}

std::optional<Command> command_of(int key, unsigned modifiers) {
  if ((modifiers & InputEvent::alt) != 0) return {};
  const auto find = [key](unsigned held) {
    const auto& all = command_chords();
    const auto found = std::find_if(all.begin(), all.end(), [=](const auto& row) {
      return row.first == Chord{key, held};
    });
    return found != all.end() ? std::optional(found->second) : std::nullopt;
  };
  const unsigned held = modifiers & (InputEvent::control | InputEvent::shift);
  const auto exact = find(held);
  return exact ? exact : find(held & ~InputEvent::shift);
}

std::optional<Side> side_of(int key, unsigned modifiers) {
  const Chord pressed{key, modifiers & InputEvent::control};
  for (const SideKeys& row : side_keys)
    for (const Chord& chord : chords_of(row.keys)) {
      if (chord == pressed) return row.side;
      if (chord.key == GLFW_KEY_HOME && key == chord.key) return row.side;
    }
  return {};
}

void take_key(const InputEvent& event, Model& model, PanelState& panels) {
  if (event.kind == InputEvent::Kind::unfocus) panels.keyboard.alt_alone = false;
  if (event.kind != InputEvent::Kind::key || !event.down) return;
  if (modifier_of(event.code) != InputEvent::alt) panels.keyboard.alt_alone = false;
  if (const auto menu = menu_of(event, panels)) {
    panels.keyboard.menu = menu;
    return;
  }
  const auto command = command_of(event.code, event.modifiers);
  const bool of_popup =
      panels_want_keys() || (command == Command::close_dialog && panels.keyboard.takes_escape);
  const bool taken = of_popup ||
                     (panels.lab.steps.has_keys && plays_steps(event.code, event.modifiers)) ||
                     (event.modifiers == 0 && is_taken_by_focus(panels, event.code));
  const std::string window = focused_window();
  const bool is_kept = !window.empty() && (!command || is_of_scene(*command));
  if (is_kept) {
    if (command && !taken) tell_whose_keys(*command, window, model);
    return;
  }
  const bool always = command && (*command == Command::quit || moves_focus(*command));
  if (command && (!taken || always)) run_command(*command, model, panels);
  // Where the laboratory has the scene's place the user would not see what has changed.
  const bool shows_scene = panels.layout.view > 0.0F;
  if (!command && !taken && event.modifiers == 0 && shows_scene)
    toggle_output(digit_of(event.code), model);
  if (const auto seen_from = side_of(event.code, event.modifiers); seen_from && !taken)
    model.requests.add(request::LookFrom{*seen_from});
}

bool plays_steps(int key, unsigned modifiers) {
  return (modifiers & ~InputEvent::shift) == 0 && (key == GLFW_KEY_SPACE || key == GLFW_KEY_HOME);
}

char digit_of(int key) {
  if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9) return static_cast<char>('1' + (key - GLFW_KEY_1));
  return 0;
}

}  // namespace warpview
