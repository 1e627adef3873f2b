// How a lane is drawn: a shape and a colour show what it does.
#pragma once

#include <string>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

enum class LaneLook : std::uint8_t {
  reads,
  writes,
  atomic,
  collective,
  fence,
  idle,       // its warp takes no part in the step
  elsewhere,  // its warp takes part and the lane has not exited: it took another branch
  at_barrier,
  backing_off,
  exited
};
inline constexpr int lane_looks = 10;
const char* words_of(LaneLook look);

// What a lane of an access or collective looks like.
LaneLook look_of(EventKind kind);

void draw_lane(Sketch& sketch, PlotBox box, LaneLook look, const std::string& name);

}  // namespace warpview::step_views
