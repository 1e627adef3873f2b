// The laboratory's Busy tab: which share of its blocks the device had at work, over the time of a
// run.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/busy_plot.h"
#include "app/panels/commands.h"
#include "app/panels/lab_plot.h"
#include "app/panels/widgets.h"

namespace warpview {

void draw_lab_busy(Model& model, PanelState& state) {
  const LabSeries& times = model.lab.shown(LabTask::busy);
  const bool told = std::any_of(times.answers.begin(), times.answers.end(),
                                [](const auto& answer) { return !answer.busy.shares.empty(); });
  if (!told) {
    paragraph(colour::dim,
              "Run: after a variant was timed it runs once more, and each block notes from when to "
              "when it was at work. Here stands which share of the blocks that the device has room "
              "for that were.");
    return;
  }
  if (ImGui::GetTime() - state.lab.copied < 3.0) state.animates = true;
  LabView::PlotChoices& choices = state.lab.plot(LabTask::busy);
  const Plot plot = busy_plot(times.answers, model.device.name, choices.hidden);
  const float footer = ImGui::GetFrameHeightWithSpacing() + 1.6F * em();
  draw_lab_plot(plot, state, choices.hidden,
                std::max(ImGui::GetContentRegionAvail().y - footer, em()));
  draw_lab_plot_files(model, state, plot,
                      {.name = fmt::format("warpview-{}-busy", to_string(times.asked.primitive)),
                       .stem = choices.stem,
                       .answers = times.answers,
                       .csv = busy_csv,
                       .command = busy_command(model)});
  const FontScope small(state.fonts.small);
  const bool copied = ImGui::GetTime() - state.lab.copied < 2.5;
  ImGui::PushStyleColor(ImGuiCol_Text, copied ? colour::good : colour::dim);
  elided_text(copied
                  ? "Copied to the clipboard."
                  : "A click on a name hides its curve, a double click the others. Where none is "
                    "at work the device waits: for the host, or for a kernel to begin.",
              ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

}  // namespace warpview
