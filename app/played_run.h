// A recording that the tab plays: its position, its views and its landmarks.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lab_steps.h"
#include "app/step_views/view.h"
#include "gpu/recording/playback.h"

namespace warpview {

struct PlayedRun {
  // Executes the recording once, which may take a second.
  explicit PlayedRun(const std::shared_ptr<const Recording>& recording);

  struct View {
    const StepViewRow* row;
    std::unique_ptr<StepView> view;
  };

  std::optional<RecordingQuestion> asked;  // none: it was read from a file
  std::filesystem::path file;              // that it was read from; empty: it was recorded
  struct Stop {
    std::size_t position = 0;
    std::string words;  // what is to be seen there
    std::string name;   // of the shape that shows it; empty: none
  };
  std::optional<Stop> stop{};  // where a new recording stands; none: at its beginning
  std::string difference;      // of the run's result from its reference; empty: none
  std::string no_lines;        // why it has no source lines; empty: it has some
  Playback playback;
  std::vector<View> views;  // those that apply to it, in the order of views.def
  // Positions, ascending, by Landmark; none of `block`, which depends on the position.
  std::array<std::vector<std::size_t>, static_cast<std::size_t>(Landmark::launch) + 1> landmarks;

  const Recording& recording() const { return playback.recording(); }
  const std::vector<std::size_t>& all(Landmark landmark) const {
    return landmarks[static_cast<std::size_t>(landmark)];
  }
};

// The position after the first step in which the runs differ in an access, a value or a lane. Names
// of kernels and places in the code are not compared, since variants share none. None if the runs
// are equal.
std::optional<std::size_t> first_difference(const PlayedRun& a, const PlayedRun& b);

}  // namespace warpview
