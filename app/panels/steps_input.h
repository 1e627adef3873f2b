// The input of the run that the Steps tab records: small generated numbers, or typed ones.
#pragma once

#include <string>

#include "app/model.h"
#include "app/panels/panels.h"

namespace warpview {

// Sets the question's input, for its primitive and form and for the variant, to the tab's: made
// from the mesh if there is one and the form takes it, else the typed numbers, else as many
// generated items as the slider says. Typed numbers that the form does not take are ignored: call
// why_not_steps_input() first.
void take_steps_input(const LabSteps& steps, VariantId variant, lab::Question& question);

// The blocks that the tab records; all of them if the field cannot be read: call
// why_not_steps_input() first.
BlockRanges steps_blocks(const LabSteps& steps);

// Why the typed numbers are no input for the question's form, or the typed blocks are none, in a
// sentence; empty if they can be recorded.
std::string why_not_steps_input(const LabModel& lab);

// Draws the field of the blocks.
void draw_steps_blocks(LabSteps& steps, const PanelState& state);

// Draws the mesh, or the slider of the items, and the field with its examples if the form takes
// numbers. Each is placed beside the last widget if there is room.
void draw_steps_input(LabModel& lab, const PanelState& state);

}  // namespace warpview
