// What is open, or asked of the laboratory, as the command line that does the same again.
#pragma once

#include <string>
#include <vector>

#include "app/model.h"

namespace warpview {

// The scene with its files, or the scene file that says it, and with its controls, variants,
// outputs and camera, its time, and the size of its picture, as they are now. Empty where nothing
// is open.
std::vector<std::string> scene_command(const Model& model);
// The laboratory's question.
std::vector<std::string> lab_command(const Model& model);
// The question that was answered last, with the plot of busy blocks.
std::vector<std::string> busy_command(const Model& model);
// The sweep that was run last, with its plot.
std::vector<std::string> sweep_command(const Model& model);

}  // namespace warpview
