// What the mouse does in the view: it turns and moves the camera, and points at things.
#pragma once

#include "app/model.h"
#include "app/panels/panels.h"
#include "app/window/input_queue.h"

namespace warpview {

class ViewMouse {
 public:
  // A frame's events in turn. `panels_want_it`: the cursor is over a panel, or a panel holds the
  // button; as it is after the frame's ImGui::NewFrame(). A button belongs to the view from when it
  // goes down there until it goes up, wherever that is.
  void take(const InputFrame& frame, bool panels_want_it, const Area& view, Model& model);

  // Does it turn or move the camera?
  bool drags() const { return drag_ != Drag::none; }

 private:
  enum class Drag { none, orbit, pan };

  void on_button(const InputEvent& event, bool panels_want_it, const Area& view, Model& model);
  void on_move(const InputEvent& event, const Area& view, Model& model);
  void on_click(const InputEvent& event, const Area& view, Model& model);

  Drag drag_ = Drag::none;
  int button_ = 0;  // that drags
  double x_ = 0.0;  // of the cursor
  double y_ = 0.0;
  double way_ = 0.0;       // of the cursor since the button went down
  double clicked_ = -1e9;  // when there was a click into the view, by the events' clock
  double clicked_x_ = 0.0;
  double clicked_y_ = 0.0;
};

}  // namespace warpview
