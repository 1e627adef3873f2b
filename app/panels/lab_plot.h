// A plot of the laboratory in the window: its curves, its legend, the files that it is saved to.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/common/plot.h"
#include "app/model.h"
#include "app/panels/parts.h"

namespace warpview {

// Alternatives over the plot's upper right corner.
struct PlotSegments {
  const char* id;
  std::span<const char* const> labels;
  int& chosen;
};
// Draws a plot of this height. A click on a name hides its curve or shows it again, a double click
// the others. True: another segment was chosen, where there are some.
bool draw_lab_plot(const Plot& plot, const PanelState& state, std::set<std::string>& hidden,
                   float height, const PlotSegments* corner = nullptr);

// What the buttons below a plot write.
struct PlotFiles {
  std::string name;  // of files, without folder and extension
  FileStem& stem;
  std::span<const lab::Answer> answers;
  std::string (*csv)(std::span<const lab::Answer> answers);
  std::vector<std::string> command;  // that does the same without a window
};
void draw_lab_plot_files(Model& model, PanelState& state, const Plot& plot, const PlotFiles& files);

}  // namespace warpview
