// Runs of the laboratory's history as a plot.
#pragma once

#include <set>
#include <span>
#include <string>

#include "app/common/lab_runs.h"
#include "app/common/plot.h"

namespace warpview {

enum class RunsAxis { time, size };

// Sizes where the runs have several, else the time when they were taken.
RunsAxis telling_axis(std::span<const MeasuredRun> runs);

// Medians with their quartiles. Over time a series for each variant on one input; over sizes one
// for each sweep, which ends where a size comes again. What all runs have in common is in the
// title, what differs in the names of the series. Runs without times are left out. `hidden` names
// series that are not shown.
Plot runs_plot(std::span<const MeasuredRun> runs, RunsAxis over,
               const std::set<std::string>& hidden = {});

// How two runs differ.
struct RunsDifference {
  // "resident -> onesweep: 1.43x (1.2 to 1.7)"; of one variant with the times when it was measured.
  // Empty: they are not of one question on one device, or without times.
  std::string words{};
  // 0 also where one of them is native code and the other is emulated.
  int direction = 0;
};
RunsDifference difference_of_runs(const MeasuredRun& before, const MeasuredRun& now);

}  // namespace warpview
