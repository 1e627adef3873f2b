#include "app/step_views/lane_cells.h"

#include <algorithm>

namespace warpview::step_views {
namespace {

// A lane that takes part is a filled box, with a letter where there is room.
void draw_active_lane(Sketch& sketch, PlotBox box, int ink, const char* letter,
                      const std::string& name) {
  sketch.box(box, ink, 1.0F, name);
  if (constexpr float room = 0.9F; box.width < room) return;
  sketch.text_in(box, letter, plot_ink::paper, true).name = name;
}

// A bar, as in front of a closed gate.
void draw_waiting_lane(Sketch& sketch, PlotBox box, const std::string& name) {
  sketch.box(box, plot_ink::grid, 1.0F, name);
  const float bar = 0.3F * box.width;
  sketch.box({box.right() - bar, box.y, bar, box.height}, ink::waiting, 1.0F, name);
}

// An hourglass.
void draw_backing_off_lane(Sketch& sketch, PlotBox box, const std::string& name) {
  sketch.box(box, plot_ink::grid, 1.0F, name);
  const float x = box.x + 0.5F * box.width, y = box.y + 0.5F * box.height;
  const float half = 0.35F * std::min(box.width, box.height);
  sketch.triangle({x - half, y - half}, {x + half, y - half}, {x, y}, ink::waiting).name = name;
  sketch.triangle({x - half, y + half}, {x + half, y + half}, {x, y}, ink::waiting).name = name;
}

void draw_exited_lane(Sketch& sketch, PlotBox box, const std::string& name) {
  const float x = box.x + 0.5F * box.width, y = box.y + 0.5F * box.height;
  const float half = 0.22F * std::min(box.width, box.height);
  sketch.line({x - half, y - half}, {x + half, y + half}, plot_ink::dim).name = name;
  sketch.line({x - half, y + half}, {x + half, y - half}, plot_ink::dim).name = name;
}

}  // namespace

const char* words_of(LaneLook look) {
  static constexpr const char* words[lane_looks] = {
      "reads", "writes",       "atomic",       "collective", "fence",
      "idle",  "other branch", "at a barrier", "backs off",  "exited"};
  return words[static_cast<std::size_t>(look)];
}

LaneLook look_of(EventKind kind) {
  if (is_read(kind)) return LaneLook::reads;
  if (is_atomic(kind)) return LaneLook::atomic;
  if (is_access(kind)) return LaneLook::writes;
  return kind == EventKind::fence ? LaneLook::fence : LaneLook::collective;
}

void draw_lane(Sketch& sketch, PlotBox box, LaneLook look, const std::string& name) {
  switch (look) {
    case LaneLook::reads:
      return draw_active_lane(sketch, box, ink::read, "R", name);
    case LaneLook::writes:
      return draw_active_lane(sketch, box, ink::write, "W", name);
    case LaneLook::atomic:
      return draw_active_lane(sketch, box, ink::atomic, "A", name);
    case LaneLook::collective:
      return draw_active_lane(sketch, box, ink::collective, "C", name);
    case LaneLook::fence:
      return draw_active_lane(sketch, box, plot_ink::neutral, "F", name);
    case LaneLook::idle:
      sketch.box(box, plot_ink::grid, 1.0F, name);
      return;
    case LaneLook::elsewhere:
      sketch.frame(box, plot_ink::neutral, 0.07F, name);
      sketch.line({box.x, box.bottom()}, {box.right(), box.y}, plot_ink::neutral, 0.07F).name =
          name;
      return;
    case LaneLook::at_barrier:
      return draw_waiting_lane(sketch, box, name);
    case LaneLook::backing_off:
      return draw_backing_off_lane(sketch, box, name);
    case LaneLook::exited:
      return draw_exited_lane(sketch, box, name);
  }
}

}  // namespace warpview::step_views
