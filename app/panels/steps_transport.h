// The part of the Steps tab that moves through time: buttons, keys and the scrubber.
#pragma once

#include "app/lab_steps.h"
#include "app/panels/panels.h"

namespace warpview {

// Into the current window. There is a recording at least.
void draw_steps_transport(const LabSteps& steps, PanelState& state);

}  // namespace warpview
