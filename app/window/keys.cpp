#include "app/window/keys.h"

#include <GLFW/glfw3.h>

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
  const bool control = (modifiers & InputEvent::control) != 0;
  const bool shift = (modifiers & InputEvent::shift) != 0;
  if (control) {
    if (key == GLFW_KEY_O) return Command::open_file;
    if (key == GLFW_KEY_S) return shift ? Command::save_picture : Command::screenshot;
    if (key == GLFW_KEY_Z) return shift ? Command::redo : Command::undo;
    if (key == GLFW_KEY_E) return Command::save_scene;
    if (key == GLFW_KEY_R) return Command::record_video;
    if (key == GLFW_KEY_Q) return Command::quit;
    if (key == GLFW_KEY_EQUAL || key == GLFW_KEY_KP_ADD) return Command::larger;
    if (key == GLFW_KEY_MINUS || key == GLFW_KEY_KP_SUBTRACT) return Command::smaller;
    if (key == GLFW_KEY_0 || key == GLFW_KEY_KP_0) return Command::usual_size;
    return {};
  }
  switch (key) {
    case GLFW_KEY_F:
      return shift ? Command::fly : Command::fit;
    case GLFW_KEY_F5:
      return Command::reload;
    case GLFW_KEY_U:
      return Command::turn_up_axis;
    case GLFW_KEY_SPACE:
      return Command::pause;
    case GLFW_KEY_PERIOD:
      return Command::step;
    case GLFW_KEY_TAB:
      return shift ? Command::next_panel : Command::toggle_panels;
    case GLFW_KEY_L:
      return Command::toggle_lab;
    case GLFW_KEY_F1:
      return Command::toggle_help;
    case GLFW_KEY_SLASH:
      return shift ? std::optional(Command::toggle_help) : std::nullopt;
    case GLFW_KEY_ESCAPE:
      return Command::close_dialog;
    default:
      return {};
  }
}

std::optional<Side> side_of(int key, unsigned modifiers) {
  const bool other = (modifiers & InputEvent::control) != 0;
  switch (key) {
    case GLFW_KEY_HOME:
      return Side::home;
    case GLFW_KEY_KP_1:
      return other ? Side::back : Side::front;
    case GLFW_KEY_KP_3:
      return other ? Side::left : Side::right;
    case GLFW_KEY_KP_7:
      return other ? Side::bottom : Side::top;
    default:
      return {};
  }
}

bool plays_steps(int key, unsigned modifiers) {
  return (modifiers & ~InputEvent::shift) == 0 && (key == GLFW_KEY_SPACE || key == GLFW_KEY_HOME);
}

char digit_of(int key) {
  if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9) return static_cast<char>('1' + (key - GLFW_KEY_1));
  return 0;
}

}  // namespace warpview
