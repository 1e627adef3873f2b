// Where the Steps tab stands in time, and what its buttons and keys do.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "app/played_run.h"

namespace warpview {

// The runs that move, of which the first leads: one, or two side by side. At least one.
using PlayedRuns = std::span<PlayedRun* const>;

// All runs go to the same position, a shorter one to its end.
void go_to(PlayedRuns runs, std::size_t position);
// By one step.
void go_on(PlayedRuns runs, bool forward);
// To the landmark of the first run that comes next, or came before. False: there is no more.
bool jump(PlayedRuns runs, Landmark landmark, bool forward);

struct StepPlayer {
  static constexpr double slowest = 1.0, fastest = 2000.0;  // steps a second

  bool playing = false;
  double speed = 8.0;
  double due = 0.0;                    // part of the next step's time that has passed
  std::vector<std::size_t> bookmarks;  // positions, ascending

  // At the end it begins anew.
  void toggle(PlayedRuns runs);
  // As far as the speed has it in so many seconds. It stops at the end.
  void pass(PlayedRuns runs, double seconds);
  // Sets a bookmark, or takes it away where there is one.
  void toggle_bookmark(std::size_t position);
};

// A key that the tab takes. Shift turns the direction, or makes of a step one of the same block.
enum class StepKey {
  left,
  right,
  play,
  first,
  last,
  barrier,
  publish,
  conflict,
  divergence,
  launch,
  bookmark
};
void act(StepKey key, bool shift, StepPlayer& player, PlayedRuns runs);

}  // namespace warpview
