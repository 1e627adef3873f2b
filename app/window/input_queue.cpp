#include "app/window/input_queue.h"

#include <algorithm>

namespace warpview {
namespace {

using Kind = InputEvent::Kind;

bool is_button(const InputEvent& event) { return event.kind == Kind::button; }

bool is_held(const InputFrame& frame) {
  return std::any_of(frame.buttons.begin(), frame.buttons.end(), [](bool down) { return down; });
}

bool changes(const InputFrame& frame, int key) {
  return std::any_of(frame.events.begin(), frame.events.end(), [key](const InputEvent& event) {
    return event.kind == Kind::key && event.code == key;
  });
}

bool same_place(const InputEvent& event, const InputFrame& frame) {
  return event.x == frame.x && event.y == frame.y;
}

}  // namespace

void InputQueue::push(const InputEvent& event) {
  const bool is_known = event.code >= 0 && event.code < static_cast<int>(InputFrame::button_count);
  if (!is_button(event) || is_known) waiting_.push_back(event);
}

void InputQueue::put_cursor(double x, double y) {
  const auto put = [x, y](auto& at) {
    at.x = x;
    at.y = y;
  };
  for (InputEvent& event : waiting_) put(event);
  put(held_);
}

// Whether the event may come into the frame that has come as far as `part`, which it then advances.
bool InputQueue::fits(const InputEvent& event, const InputFrame& frame, Part& part) const {
  Part needs = Part::moves;
  switch (event.kind) {
    case Kind::move:
    case Kind::leave:
      break;
    case Kind::scroll:
      needs = Part::steps;
      break;
    case Kind::unfocus:
      if (part > Part::releases) return false;
      part = Part::letters;  // what it lets go is not held again in the same frame
      return true;
    case Kind::key:
      if (changes(frame, event.code)) return false;
      needs = event.down ? Part::press : Part::releases;
      break;
    case Kind::button:
      // held_ is what the frame before has shown.
      if (!held_.has_cursor || !same_place(event, held_) || !same_place(event, frame)) return false;
      needs = Part::press;
      break;
    case Kind::text:
      needs = Part::letters;
      break;
  }
  if (needs < part || (needs == Part::press && part == Part::press)) return false;
  if (event.kind == Kind::scroll && part == Part::steps && !same_place(event, frame)) return false;
  part = needs;
  return true;
}

void InputQueue::take(const InputEvent& event, InputFrame& frame) {
  switch (event.kind) {
    case Kind::move:
      // With a button held the cursor is followed outside too.
      if (!is_held(frame)) inside_ = true;
      break;
    case Kind::leave:
      inside_ = false;
      break;
    case Kind::button:
      frame.buttons[static_cast<std::size_t>(event.code)] = event.down;
      if (event.down) {
        frame.presses_button = true;
        frame.presses_again =
            event.code == last_button_ && event.seconds - last_press_ < double_click;
        last_button_ = event.code;
        last_press_ = event.seconds;
      }
      break;
    case Kind::scroll:
      frame.steps_x += event.steps_x;
      frame.steps_y += event.steps_y;
      break;
    case Kind::key:
      if (event.down)
        frame.keys.insert(event.code);
      else
        frame.keys.erase(event.code);
      break;
    case Kind::text:
      frame.text += static_cast<char32_t>(event.code);
      break;
    case Kind::unfocus:
      frame.keys.clear();
      frame.buttons = {};
      frame.modifiers = 0;
      break;
  }
  if (event.kind == Kind::move || event.kind == Kind::scroll) {
    frame.x = event.x;
    frame.y = event.y;
  }
  if (event.kind == Kind::button || event.kind == Kind::scroll || event.kind == Kind::key)
    frame.modifiers = event.modifiers;
  frame.events.push_back(event);
}

bool InputQueue::is_behind() {
  const bool behind = !waiting_.empty() && unseen_ < most_unseen;
  unseen_ = behind ? unseen_ + 1 : 0;
  return behind;
}

InputFrame InputQueue::next() {
  InputFrame frame = held_;
  Part part = Part::moves;
  while (!waiting_.empty() && fits(waiting_.front(), frame, part)) {
    take(waiting_.front(), frame);
    waiting_.pop_front();
    ++taken_;
  }
  // A button that comes next is waited for in its place.
  if (!waiting_.empty() && is_button(waiting_.front()) && part < Part::press) {
    frame.x = waiting_.front().x;
    frame.y = waiting_.front().y;
    if (!is_held(frame)) inside_ = true;
  }
  frame.has_cursor = inside_ || is_held(frame);
  held_ = frame;
  held_.events.clear();
  held_.text.clear();
  held_.steps_x = held_.steps_y = 0.0;
  held_.presses_button = held_.presses_again = false;
  return frame;
}

}  // namespace warpview
