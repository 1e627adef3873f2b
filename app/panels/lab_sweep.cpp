// The laboratory's Sweep tab: all variants of a primitive over sizes, as curves.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/common/lab_csv.h"
#include "app/common/lab_json.h"
#include "app/common/plot_svg.h"
#include "app/common/shell_command.h"
#include "app/common/sweep_plot.h"
#include "app/panels/commands.h"
#include "app/panels/format.h"
#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/plot_view.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// A file's plot, in pixels, and a picture's per each of them.
constexpr int file_width = 900;
constexpr int file_height = 560;
constexpr int picture_scale = 2;

void draw_range(LabModel& lab, const PanelState& state) {
  const int most = lab.most_of_sweep();
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
      std::string("The largest size: up to what fits into memory, and what the primitive takes.")};
  tooltip(state.fonts, "", largest);
  lab.sweep_first = std::min(lab.sweep_first, lab.last_of_sweep());
}

void draw_controls(Model& model, PanelState& state) {
  static constexpr std::array metrics = {"Time", "Items/s", "GB/s"};
  LabModel& lab = model.lab;
  ImGui::BeginDisabled(lab.busy());
  draw_range(lab, state);
  ImGui::SameLine();
  if (ui::button("Sweep", {6.0F * em(), 0.0F})) model.requests.sweep_lab = true;
  ImGui::EndDisabled();
  const float width = 15.0F * em();
  ImGui::SameLine(
      std::max(ImGui::GetWindowContentRegionMax().x - width, ImGui::GetCursorPosX() + em()));
  int metric = static_cast<int>(state.lab.metric);
  if (segments("metric", metrics, metric, width))
    state.lab.metric = static_cast<SweepMetric>(metric);
}

void toggle(std::set<std::string>& hidden, const std::string& name) {
  if (hidden.erase(name) == 0) hidden.insert(name);
}

// A click hides a curve or shows it again; a double click shows it alone, or all.
void draw_legend(const Plot& plot, const PlotGeometry& geometry, ImVec2 at, LabView& view) {
  for (const PlotLegendEntry& entry : geometry.legend) {
    const PlotBox& box = entry.box;
    const std::string& name = plot.series[entry.series].name;
    ImGui::SetCursorScreenPos({at.x + box.x, at.y + box.y});
    if (ui::invisible_button(name.c_str(), {std::max(box.width, 1.0F), box.height}))
      toggle(view.hidden, name);
    if (!ImGui::IsItemHovered()) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                              colour::wash, 3.0F);
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) continue;
    // The first of the two clicks has hidden it.
    const bool alone = std::none_of(plot.series.begin(), plot.series.end(),
                                    [](const PlotSeries& each) { return each.shown; });
    view.hidden.clear();
    // The click that follows, when the button goes up, toggles it once more.
    if (alone)
      view.hidden.insert(name);
    else
      for (const PlotSeries& series : plot.series) view.hidden.insert(series.name);
  }
}

std::string quartiles_of(const PlotPoint& point, PlotUnit unit) {
  return fmt::format("median of {}, quartiles {} and {}",
                     format_count(static_cast<std::uint64_t>(point.runs), "run"),
                     plot_value(unit, point.low), plot_value(unit, point.high));
}

void draw_hover(const PanelState& state, const Plot& plot, const PlotGeometry& geometry,
                ImVec2 at) {
  if (!ImGui::IsWindowHovered()) return;
  const ImVec2 cursor = ImGui::GetMousePos();
  const auto hit = nearest(geometry, {cursor.x - at.x, cursor.y - at.y}, 1.5F * em());
  if (!hit) return;
  const PlotSeries& series = plot.series[hit->series];
  const PlotPoint& point = series.points[hit->point];
  ImGui::GetWindowDrawList()->AddCircle({at.x + hit->at.x, at.y + hit->at.y}, 0.55F * em(),
                                        colour_of_plot(plot_ink_of(series)), 0, 1.5F);
  ImGui::BeginTooltip();
  {
    const FontScope bold(state.fonts.bold);
    text(series.name);
  }
  text(fmt::format("{}: {}", group_digits(static_cast<std::uint64_t>(point.x)),
                   plot_value(plot.unit, point.y)));
  coloured_text(colour::dim, point.runs > 0 ? quartiles_of(point, plot.unit)
                                            : "of as many bytes as the problem needs");
  ImGui::EndTooltip();
}

void draw_plot(const Plot& plot, PanelState& state, float height) {
  ImGui::BeginChild("plot", {0.0F, height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const PlotSurface surface{
      .width = std::max(size.x, 1.0F),
      .height = std::max(size.y, 1.0F),
      .em = em(),
      .text_width = [](std::string_view words) {
        return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
      }};
  const PlotGeometry geometry = lay_out(plot, surface);
  draw_shapes(*ImGui::GetWindowDrawList(), plot_shapes(plot, geometry, surface), at, state.fonts,
              em(), theme_in_use());
  draw_legend(plot, geometry, at, state.lab);
  draw_hover(state, plot, geometry, at);
  ImGui::EndChild();
}

// The plot in a file's own words: without what was hidden.
FileToWrite file_of(const Model& model, const Plot& plot, const std::string& stem,
                    std::string_view extension) {
  FileToWrite file{.file = free_file(stem, std::string(extension))};
  const std::vector<lab::Answer>& answers = model.lab.sweep.answers;
  if (extension == ".png")
    file.picture =
        plot_picture(plot, picture_scale * file_width, picture_scale * file_height, theme_in_use());
  else if (extension == ".svg")
    file.bytes = plot_as_svg(plot, file_width, file_height);
  else if (extension == ".csv")
    file.bytes = lab_csv(answers);
  else
    file.bytes = lab_json(model.device, model.built_with, answers);
  return file;
}

void draw_files(Model& model, PanelState& state, const Plot& plot) {
  struct Format {
    const char *label, *extension, *explanation;
  };
  static constexpr std::array formats = {
      Format{"PNG", ".png", "The plot as a picture, as dark or light as the window"},
      Format{"SVG", ".svg", "The plot for documents: light or dark as its reader is"},
      Format{"CSV", ".csv", "The numbers, for spreadsheets"},
      Format{"JSON", ".json", "The numbers and what they come from, for programs"}};
  LabView& view = state.lab;
  const LabSeries& sweep = model.lab.sweep;
  const std::string proposed =
      (pictures_folder() / fmt::format("warpview-{}", to_string(sweep.asked.primitive))).string();
  if (view.proposed_stem != proposed) view.proposed_stem = view.stem = proposed;
  ImGui::BeginDisabled(sweep.answers.empty());
  ImGui::AlignTextToFramePadding();
  coloured_text(colour::dim, "Save as");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(
      std::clamp(ImGui::GetContentRegionAvail().x - 30.0F * em(), 8.0F * em(), 26.0F * em()));
  ui::text_field("##stem", &view.stem);
  for (const Format& format : formats) {
    ImGui::SameLine();
    if (ui::button(format.label))
      model.requests.write.push_back(file_of(model, plot, view.stem, format.extension));
    const std::array about = {std::string(format.explanation)};
    tooltip(state.fonts, format.label, about);
  }
  ImGui::SameLine();
  if (ui::button("Copy as command")) {
    ImGui::SetClipboardText(shell_command(sweep_command(model)).c_str());
    view.copied = ImGui::GetTime();
  }
  ImGui::EndDisabled();
}

// One line: what was left out of the plot, and why.
void draw_notes(const Model& model, const PanelState& state) {
  const FontScope small(state.fonts.small);
  const LabSeries& sweep = model.lab.sweep;
  constexpr double shown_for = 2.5;  // seconds
  std::string words =
      "A click on a name hides its curve, a double click the others. Dotted: a device copy of the "
      "bytes that the problem needs.";
  ImU32 c = colour::dim;
  const auto wrong = std::find_if(sweep.answers.begin(), sweep.answers.end(),
                                  [](const lab::Answer& each) { return !each.difference.empty(); });
  if (ImGui::GetTime() - state.lab.copied < shown_for) {
    words = "Copied to the clipboard.";
    c = colour::good;
  } else if (!sweep.error.empty()) {
    words = sweep.error;
    c = colour::error;
  } else if (wrong != sweep.answers.end()) {
    words = fmt::format("{} is wrong at {} items: {}", variant_at(wrong->row).name,
                        group_digits(wrong->question.n), wrong->difference);
    c = colour::error;
  } else if (sweep.cancelled) {
    words = "Cancelled before all sizes had their turn. " + words;
  }
  ImGui::PushStyleColor(ImGuiCol_Text, c);
  elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_lab_sweep(Model& model, PanelState& state) {
  draw_controls(model, state);
  const LabSeries& sweep = model.lab.sweep;
  if (sweep.answers.empty() && !(model.lab.busy() && model.lab.task == LabModel::Task::sweep)) {
    paragraph(sweep.error.empty() ? colour::dim : colour::error,
              sweep.error.empty()
                  ? "Sweep: every variant works on inputs of 2^a to 2^b items, is checked "
                    "against a sequential reference at each, timed, and drawn as a curve."
                  : sweep.error);
    return;
  }
  if (ImGui::GetTime() - state.lab.copied < 3.0) state.animates = true;
  const Plot plot =
      sweep_plot(sweep.answers, state.lab.metric, model.device.name, state.lab.hidden);
  const float footer = ImGui::GetFrameHeightWithSpacing() + 1.6F * em();
  draw_plot(plot, state, std::max(ImGui::GetContentRegionAvail().y - footer, em()));
  draw_files(model, state, plot);
  draw_notes(model, state);
}

}  // namespace warpview
