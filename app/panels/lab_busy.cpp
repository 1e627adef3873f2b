// The laboratory's Busy tab: which share of its blocks the device had at work, over the time of a
// run.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/busy_plot.h"
#include "app/panels/commands.h"
#include "app/panels/lab_plot.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {

void draw_lab_busy(Model& model, PanelState& state) {
  const LabSeries& times = model.lab.shown(LabTask::busy);
  const bool told = std::any_of(times.answers.begin(), times.answers.end(),
                                [](const auto& answer) { return !answer.busy.shares.empty(); });
  if (!told) {
    draw_empty_task(model, state, LabTask::busy,
                    {.example = draw_busy_example,
                     .sentence = "How much of the device works at each moment of a run: blocks "
                                 "that are busy, as a fraction of all that fit.",
                     .about = "Times every variant, and runs it once more while each block notes "
                              "when it is busy."});
    return;
  }
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
  const bool copied = shows_copied(state);
  ImGui::PushStyleColor(ImGuiCol_Text, copied ? colour::good : colour::dim);
  elided_text(copied ? copied_in_words
                     : "Click a name to hide its curve, double-click it to hide the others. At 0 "
                       "the device idles: it waits for the host or for a kernel launch.",
              ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

}  // namespace warpview
