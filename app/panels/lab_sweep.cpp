// The laboratory's Sweep tab: all variants of a primitive over sizes, as curves.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/common/lab_csv.h"
#include "app/common/lab_operations.h"
#include "app/common/sweep_plot.h"
#include "app/panels/commands.h"
#include "app/panels/format.h"
#include "app/panels/lab_plot.h"
#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// One line: what was left out of the plot, and why.
void draw_notes(const Model& model, PanelState& state) {
  const FontScope small(state.fonts.small);
  const LabSeries& sweep = model.lab.shown(LabTask::sweep);
  std::string words =
      "Click a name to hide its curve, double-click it to hide the others. Dotted: a device memcpy "
      "of the problem's minimum bytes.";
  ImU32 c = colour::dim;
  const auto wrong = std::find_if(sweep.answers.begin(), sweep.answers.end(),
                                  [](const lab::Answer& each) { return !each.difference.empty(); });
  if (shows_copied(state)) {
    words = copied_in_words;
    c = colour::good;
  } else if (!sweep.error.empty()) {
    words = sweep.error;
    c = colour::error;
  } else if (wrong != sweep.answers.end()) {
    words = fmt::format("{} is wrong at {} items: {}", (*wrong->variant)->title,
                        group_digits(wrong->question.n), wrong->difference);
    c = colour::error;
  } else if (sweep.cancelled) {
    words = "Cancelled early. " + words;
  }
  ImGui::PushStyleColor(ImGuiCol_Text, c);
  elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_lab_sweep(Model& model, PanelState& state) {
  const LabSeries& sweep = model.lab.shown(LabTask::sweep);
  if (sweep.answers.empty()) {
    draw_empty_task(model, state, LabTask::sweep,
                    {.example = draw_curves_example,
                     .sentence = "A curve for each variant: its time over the size of the input, "
                                 "each size verified against a sequential reference.",
                     .about = "Runs every variant at each of the sizes above."});
    return;
  }
  LabView::PlotChoices& choices = state.lab.plot(LabTask::sweep);
  const Plot plot =
      sweep_plot(sweep.answers, state.lab.metric, device_in_plots(model.device), choices.hidden);
  const float footer = ImGui::GetFrameHeightWithSpacing() + 1.6F * em();
  static constexpr std::array metrics = {"Time", "Items/s", "GB/s"};
  int metric = static_cast<int>(state.lab.metric);
  const PlotSegments corner{.id = "metric", .labels = metrics, .chosen = metric};
  if (draw_lab_plot(plot, state, choices.hidden,
                    std::max(ImGui::GetContentRegionAvail().y - footer, em()), &corner))
    state.lab.metric = static_cast<SweepMetric>(metric);
  draw_lab_plot_files(model, state, plot,
                      {.name = fmt::format("warpview-{}", to_string(sweep.asked.primitive)),
                       .stem = choices.stem,
                       .answers = sweep.answers,
                       .csv = lab_csv,
                       .command = sweep_command(model)});
  draw_notes(model, state);
}

}  // namespace warpview
