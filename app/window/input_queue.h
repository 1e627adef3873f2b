// What the user did, in order, and how much of it one frame of the panels may see.
//
// The panels look at keys and buttons once a frame. However long a frame takes, no event may be
// lost or meet another place than the one where it happened: events wait here, and each frame takes
// as many as it can tell apart.
#pragma once

#include <array>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace warpview {

struct InputEvent {
  enum class Kind {
    move,    // of the cursor, inside the window or with a button held
    leave,   // the cursor is somewhere else
    button,  // of the mouse
    scroll,
    key,
    text,    // a letter that was typed
    unfocus  // another window has the keys now: none is held any more
  };
  enum Modifier : unsigned { control = 1, shift = 2, alt = 4, super = 8 };

  Kind kind = Kind::move;
  double seconds = 0.0;     // when; any clock
  double x = 0.0, y = 0.0;  // move, button, scroll: where the cursor was, in units of the window
  int code = 0;             // button: 0 left, 1 right, 2 middle; key: its number; text: its letter
  bool down = false;        // button and key: else they went up
  unsigned modifiers = 0;   // button, scroll, key: held after it
  double steps_x = 0.0, steps_y = 0.0;  // scroll
};

// What one frame sees: some events, and what is held after them.
struct InputFrame {
  static constexpr std::size_t button_count = 5;

  std::vector<InputEvent> events;
  bool has_cursor = false;  // over the window, or held by a button that went down there
  double x = 0.0, y = 0.0;  // of the cursor, or where it was last
  std::array<bool, button_count> buttons{};
  std::set<int> keys;
  unsigned modifiers = 0;
  double steps_x = 0.0, steps_y = 0.0;  // sums over the events
  std::u32string text;
  bool presses_button = false;
  // The button that goes down went down shortly before too, as the events' times have it.
  bool presses_again = false;
};

class InputQueue {
 public:
  static constexpr double double_click = 0.3;  // seconds

  // Buttons beyond InputFrame::button_count are ignored.
  void push(const InputEvent& event);
  // The cursor was put there: what waits is where it now is, too.
  void put_cursor(double x, double y);
  // Events that no frame has seen yet: there should be another frame at once.
  bool empty() const { return waiting_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  // How many events frames have seen so far.
  std::size_t taken() const { return taken_; }

  // The next frame's share. Moves before anything else are merged; then come steps of the wheel in
  // one place, keys that go up, and at most one key or button that goes down or button that goes
  // up, with the letters that it types. A button waits until a frame has seen the cursor in its
  // place: what lies under it is then known when the button goes down, and what is dragged has
  // arrived when it goes up.
  InputFrame next();
  // After the panels have seen a frame: is there more for them to see before a picture is drawn?
  // Else each press would wait for the pictures of those before it. Now and then one is drawn all
  // the same.
  bool is_behind();
  static constexpr int most_unseen = 16;  // frames in a row without a picture

 private:
  enum class Part { moves, steps, releases, press, letters };

  bool fits(const InputEvent& event, const InputFrame& frame, Part& part) const;
  void take(const InputEvent& event, InputFrame& frame);

  std::deque<InputEvent> waiting_;
  InputFrame held_;      // after the last frame; without events
  bool inside_ = false;  // is the cursor over the window?
  std::size_t taken_ = 0;
  int last_button_ = -1;  // that went down
  double last_press_ = 0.0;
  int unseen_ = 0;  // frames in a row, up to the last
};

}  // namespace warpview
