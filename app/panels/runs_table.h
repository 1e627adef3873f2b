// The table of the laboratory's tab Runs.
#pragma once

#include "app/model.h"
#include "app/panels/panels.h"

namespace warpview {

// Finds the runs that the filters let through and sorts them, where one of that has changed.
void find_runs(const LabRuns& runs, RunsView& view);
// The rows in what is left of the window but for `below`. A run that was clicked; null: none.
const MeasuredRun* draw_runs_table(PanelState& state, float below);

}  // namespace warpview
