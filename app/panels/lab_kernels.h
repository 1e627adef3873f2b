// Below the laboratory's Code tab: the kernels that a run launched, and its scratch memory.
#pragma once

#include "app/model.h"
#include "app/panels/panels.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

// A table of the launches of the answer, or a sentence that says why there is none. `answer` is
// null where the variant was not run. Returns the launch that the user clicked; null: none.
const LaunchRecord* draw_kernels(Model& model, PanelState& state, const lab::Answer* answer);

// The arrays of scratch memory of a run that was verified, in a line.
void draw_scratch(const PanelState& state, const lab::Answer* answer);

}  // namespace warpview
