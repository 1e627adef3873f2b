// Views of a recording: drawings of one of its steps.
//
// A view makes shapes without a surface. The window, SVG files and pages draw the same shapes.
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

// The block that made the last step. Where the host or blocks that are not recorded made it: the
// block of the last step before it in the current launch, else the first recorded block.
StepFocus focus_of(const Playback& at);

struct StepDrawing {
  float height = 0.0F;  // in units of the surface; its width is the surface's
  // A shape's name says what it stands for (app/step_views/names.h). Equal names are the same thing
  // in all views.
  std::vector<PlotShape> shapes;
};

// A view of one recording. Its constructor may analyse the whole run.
class StepView {
 public:
  virtual ~StepView() = default;
  // Draws the current step. The drawing is as wide as the surface; the view chooses the height (the
  // surface's height is the visible part).
  virtual StepDrawing draw(const Playback& at, const StepFocus& focus,
                           const PlotSurface& surface) const = 0;
  // One sentence for the user: what the shapes and their colours mean.
  virtual std::string legend() const = 0;
};

// A row of app/step_views/views.def.
struct StepViewRow {
  const char* name;   // what options take
  const char* title;  // of its part of the tab
  // Does the view have something to show of this recording?
  bool (*is_for)(const Recording& recording);
  std::unique_ptr<StepView> (*make)(const std::shared_ptr<const Recording>& recording);
};

std::span<const StepViewRow> all_step_views();

}  // namespace warpview
