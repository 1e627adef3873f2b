// All views of a recording at one step, as files show them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/view.h"

namespace warpview::step_views {

struct ShownView {
  const StepViewRow* row = nullptr;
  std::unique_ptr<StepView> view;
};
// The views that apply to it, in the order of views.def. Error if there are none.
std::vector<ShownView> views_of(const std::shared_ptr<const Recording>& recording);

// What was recorded: "scan lookback, exclusive, 4 096 items, warps of 32, seed 1".
std::string run_in_words(const Recording& recording);

// A document with all views, one below another, each under its title and above its legend. After
// `step` steps; if none is named, in the middle of the run. `note` is shown below the heading.
// Error if the recording has fewer steps.
std::string step_as_svg(const std::shared_ptr<const Recording>& recording,
                        std::optional<std::uint32_t> step, std::string_view note = {});

// Error if a recording has fewer steps.
void check_step(const Playback& playback, std::size_t step);

}  // namespace warpview::step_views
