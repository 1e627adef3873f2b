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
// The question of the laboratory's results that are shown; empty where there are none.
std::vector<std::string> lab_command(const Model& model);
// The same, with the plot of busy blocks.
std::vector<std::string> busy_command(const Model& model);
// The sweep that is shown, with its plot.
std::vector<std::string> sweep_command(const Model& model);

}  // namespace warpview
