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

void draw_range(LabModel& lab, const PanelState& state) {
  const int most = lab.most_exponent();
  const auto slider = [&](const char* id, const char* format, int& exponent, int least, int upper) {
    ImGui::SetNextItemWidth(9.0F * em());
    int value = std::clamp(exponent, least, upper);
    if (ui::slider(id, &value, least, upper, format)) exponent = value;
  };
  slider("##first", "from 2^%d", lab.sweep_first, 0, most);
  lab.sweep_first = std::min(lab.sweep_first, most);
  const std::array smallest = {std::string("The smallest size.")};
  tooltip(state.fonts, "", smallest);
  ImGui::SameLine();
  slider("##last", "to 2^%d", lab.sweep_last, 0, most);
  const std::array largest = {
      std::string("The largest size, limited by device memory and by the primitive.")};
  tooltip(state.fonts, "", largest);
  lab.sweep_first = std::min(lab.sweep_first, lab.last_of_sweep());
}

void draw_controls(Model& model, PanelState& state) {
  static constexpr std::array metrics = {"Time", "Items/s", "GB/s"};
  LabModel& lab = model.lab;
  ImGui::BeginDisabled(lab.busy());
  draw_range(lab, state);
  ImGui::SameLine();
  draw_lab_button(model, LabTask::sweep, {6.0F * em(), 0.0F});
  ImGui::EndDisabled();
  const float width = 15.0F * em();
  ImGui::SameLine(
      std::max(ImGui::GetWindowContentRegionMax().x - width, ImGui::GetCursorPosX() + em()));
  int metric = static_cast<int>(state.lab.metric);
  if (segments("metric", metrics, metric, width))
    state.lab.metric = static_cast<SweepMetric>(metric);
}

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
  draw_controls(model, state);
  const LabSeries& sweep = model.lab.shown(LabTask::sweep);
  if (sweep.answers.empty() && !(model.lab.busy() && model.lab.task == LabTask::sweep)) {
    paragraph(sweep.error.empty() ? colour::dim : colour::error,
              sweep.error.empty()
                  ? "Sweep: every variant runs on inputs of 2^a to 2^b items, is verified against "
                    "a sequential reference at each size, timed, and plotted as a curve."
                  : sweep.error);
    return;
  }
  LabView::PlotChoices& choices = state.lab.plot(LabTask::sweep);
  const Plot plot =
      sweep_plot(sweep.answers, state.lab.metric, device_in_plots(model.device), choices.hidden);
  const float footer = ImGui::GetFrameHeightWithSpacing() + 1.6F * em();
  draw_lab_plot(plot, state, choices.hidden,
                std::max(ImGui::GetContentRegionAvail().y - footer, em()));
  draw_lab_plot_files(model, state, plot,
                      {.name = fmt::format("warpview-{}", to_string(sweep.asked.primitive)),
                       .stem = choices.stem,
                       .answers = sweep.answers,
                       .csv = lab_csv,
                       .command = sweep_command(model)});
  draw_notes(model, state);
}

}  // namespace warpview
