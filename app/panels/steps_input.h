// The input of the run that the Steps tab records: small generated numbers, or typed ones.
#pragma once

#include <string>

#include "app/model.h"
#include "app/panels/panels.h"

namespace warpview {

// Gives the question, whose primitive and form count, the input that is chosen in the tab: what is
// typed, else as many generated items as the slider says. Typed numbers that the form does not take
// are left out: ask why_not_steps_input() first.
void take_steps_input(const LabSteps& steps, lab::Question& question);

// Why what is typed is no input for the question's form, in a sentence; empty: it is one, or
// nothing is typed.
std::string why_not_steps_input(const LabModel& lab);

// The slider of the items, and the field and its examples where the form takes numbers. Each stands
// beside the last widget if there is room.
void draw_steps_input(LabModel& lab, const PanelState& state);

}  // namespace warpview
