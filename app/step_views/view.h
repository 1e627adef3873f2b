// Views of a recording: what is drawn of it at one of its steps.
//
// A view makes shapes without a surface. The window, SVG files and pages draw the same ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/common/plot.h"
#include "gpu/recording/playback.h"

namespace warpview {

// What a user looks at in all views.
struct StepFocus {
  std::uint32_t block = 0;  // whose lanes and shared memory are shown
};

struct StepDrawing {
  float height = 0.0F;  // in units of the surface; its width is the surface's
  // Their names say what they stand for (app/step_views/names.h): equal names are one thing in all
  // views.
  std::vector<PlotShape> shapes;
};

// A view of one recording. It may keep what it has found out about the whole run when it was made.
class StepView {
 public:
  virtual ~StepView() = default;
  // At the step at which the recording stands. As wide as the surface; the view chooses the height
  // (the surface's is what can be seen at once).
  virtual StepDrawing draw(const Playback& at, const StepFocus& focus,
                           const PlotSurface& surface) const = 0;
  // One sentence for the user: what the shapes and their colours mean.
  virtual std::string legend() const = 0;
};

// A row of app/step_views/views.def.
struct StepViewRow {
  const char* name;   // what options take
  const char* title;  // of its part of the tab
  // Has the view something to show of this recording?
  bool (*is_for)(const Recording& recording);
  std::unique_ptr<StepView> (*make)(const std::shared_ptr<const Recording>& recording);
};

std::span<const StepViewRow> all_step_views();

}  // namespace warpview
