// The input of the run that the Steps tab records: small generated numbers, or typed ones.
#pragma once

#include <string>

#include "app/model.h"
#include "app/panels/panels.h"

namespace warpview {

// Sets the question's input, for its primitive and form, to the tab's: made from the mesh if there
// is one and the form takes it, else the typed numbers, else as many generated items as the slider
// says. Typed numbers that the form does not take are ignored:
// call why_not_steps_input() first.
void take_steps_input(const LabSteps& steps, lab::Question& question);

// Why the typed numbers are no input for the question's form, in a sentence; empty if they are, or
// if there are none.
std::string why_not_steps_input(const LabModel& lab);

// Draws the mesh, or the slider of the items, and the field with its examples if the form takes
// numbers. Each is
// placed beside the last widget if there is room.
void draw_steps_input(LabModel& lab, const PanelState& state);

}  // namespace warpview
