// The Steps tab's position in time, and the actions of its buttons and keys.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "app/played_run.h"

namespace warpview {

// The runs that move together, one or two. The first one leads.
using PlayedRuns = std::span<PlayedRun* const>;

// Moves all runs to the same position, or a shorter run to its end.
void go_to(PlayedRuns runs, std::size_t position);
// Moves by one step.
void go_on(PlayedRuns runs, bool forward);
// Moves to the next or previous landmark of the first run. False if there is none.
bool jump(PlayedRuns runs, Landmark landmark, bool forward);

struct StepPlayer {
  static constexpr double slowest = 1.0, fastest = 2000.0;  // steps a second

  bool playing = false;
  double speed = 8.0;
  double due = 0.0;                    // part of the next step's time that has passed
  std::vector<std::size_t> bookmarks;  // positions, ascending

  // At the end it starts again from the beginning.
  void toggle(PlayedRuns runs);
  // Advances by this many seconds at the speed. Stops at the end.
  void pass(PlayedRuns runs, double seconds);
  // Sets a bookmark at the position, or removes the one there.
  void toggle_bookmark(std::size_t position);
};

// A key of the tab. Shift reverses the direction, or makes a step one of the same block.
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
