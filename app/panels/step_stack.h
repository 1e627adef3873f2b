// The views of a recording at its step, one below another, with what is pointed at lit up in all of
// them.
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
  std::optional<std::uint32_t> block{};  // chosen by the user; none: that of the last step
  std::string pointed{};                 // name of the shape under the mouse; empty: none
  std::string pinned{};                  // name of the shape that was clicked; empty: none

  const std::string& name() const { return pointed.empty() ? pinned : pointed; }
};

// A run's views as they were drawn last.
struct StepStack {
  struct Drawn {
    std::size_t position = 0;
    std::uint32_t block = 0;
    float width = 0.0F, em = 0.0F;  // 0: not drawn yet
    StepDrawing drawing{};
    float height = 0.0F;  // the greatest since the width has changed, so that nothing below jumps
    int column = 0;
  };
  const PlayedRun* run = nullptr;  // that all this is of
  std::uint32_t block = 0;         // of the last step that was of a block
  std::vector<Drawn> views;        // by PlayedRun::views
};

// The shape drawn last of those that have a name and lie under the place; null: there is none.
const PlotShape* shape_at(const std::vector<PlotShape>& shapes, PlotVertex place, float em);

// The views of a run in the current window, from the cursor on, in one column or two of this width
// together. Adds the name of the shape under the mouse to `pointed`, and takes a click.
void draw_step_stack(const PlayedRun& run, StepStack& stack, StepGaze& gaze, const Fonts& fonts,
                     float width, int columns, std::string& pointed);

}  // namespace warpview
