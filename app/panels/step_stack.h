// The views of a recording at its step, one below another. The shape under the mouse is highlighted
// in all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/style.h"
#include "app/played_run.h"

namespace warpview {

// What the user looks at in all views.
struct StepGaze {
  std::optional<std::uint32_t> block{};  // chosen by the user; none: the block of the last step
  std::string pointed{};                 // name of the shape under the mouse; empty: none
  std::string pinned{};                  // name of the shape that was clicked; empty: none

  const std::string& name() const { return pointed.empty() ? pinned : pointed; }
};

// The last drawing of a run's views.
struct StepStack {
  struct Drawn {
    std::size_t position = 0;
    std::uint32_t block = 0;
    float width = 0.0F, em = 0.0F;  // 0: not drawn yet
    StepDrawing drawing{};
    float height =
        0.0F;  // the largest since the width changed, so that the views below do not jump
    int column = 0;
  };
  const PlayedRun* run = nullptr;  // whose views these are
  std::vector<Drawn> views;        // by PlayedRun::views
};

// The topmost shape with a name at the place; null if there is none.
const PlotShape* shape_at(const std::vector<PlotShape>& shapes, PlotVertex place, float em);

// Draws the views of a run in the current window, from the cursor on, in one or two columns of this
// total width. Sets `pointed` to the name of the shape under the mouse, and handles clicks.
void draw_step_stack(const PlayedRun& run, StepStack& stack, StepGaze& gaze, const Fonts& fonts,
                     float width, int columns, std::string& pointed);

}  // namespace warpview
