// The tour: steps that point at widgets and wait until the user has used them.
#pragma once

#include <span>

#include "app/panels/panels.h"

namespace warpview {

struct TourStep {
  // A widget as the map of the window names it (docs/ui-map.md).
  struct Widget {
    const char* window;
    const char* name;  // empty: none
  };

  const char* title;
  const char* task;     // what to do
  const char* outcome;  // what one sees once it is done
  Widget widget;        // that the step points at
  Widget next;          // that it points at once it is done
  // Has the user done it since the step began?
  bool (*is_done)(const Model& model, const PanelState& state, const TourMark& before);
};

std::span<const TourStep> tour_steps();

// Is the scene of the tour, the first kind, open and drawn?
bool has_toured_scene(const Model& model);
// The state that a step's condition is compared with.
TourMark tour_mark(const Model& model);

}  // namespace warpview
