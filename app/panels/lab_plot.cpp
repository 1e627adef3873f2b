// A plot of the laboratory in the window: its curves, its legend, the files that it is saved to.
#include "app/panels/lab_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "app/common/lab_json.h"
#include "app/common/plot_svg.h"
#include "app/common/shell_command.h"
#include "app/panels/format.h"
#include "app/panels/named_widgets.h"
#include "app/panels/plot_view.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// A file's plot, in pixels, and a picture's per each of them.
constexpr int file_width = 900;
constexpr int file_height = 560;
constexpr int picture_scale = 2;

void toggle(std::set<std::string>& hidden, const std::string& name) {
  if (hidden.erase(name) == 0) hidden.insert(name);
}

// A click hides a curve or shows it again; a double click shows it alone, or all.
void draw_legend(const Plot& plot, const PlotGeometry& geometry, ImVec2 at,
                 std::set<std::string>& hidden) {
  for (const PlotLegendEntry& entry : geometry.legend) {
    const PlotBox& box = entry.box;
    const std::string& name = plot.series[entry.series].name;
    ImGui::SetCursorScreenPos({at.x + box.x, at.y + box.y});
    if (ui::invisible_button(name.c_str(), {std::max(box.width, 1.0F), box.height}))
      toggle(hidden, name);
    if (!ImGui::IsItemHovered()) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                              colour::wash, 3.0F);
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) continue;
    // The first of the two clicks has hidden it.
    const bool alone = std::none_of(plot.series.begin(), plot.series.end(),
                                    [](const PlotSeries& each) { return each.shown; });
    hidden.clear();
    // The click that follows, when the button goes up, toggles it once more.
    if (alone)
      hidden.insert(name);
    else
      for (const PlotSeries& series : plot.series) hidden.insert(series.name);
  }
}

std::string quartiles_of(const PlotPoint& point, PlotUnit unit) {
  return fmt::format("median of {}, quartiles {} and {}",
                     format_count(static_cast<std::uint64_t>(point.runs), "run"),
                     plot_value(unit, point.low), plot_value(unit, point.high));
}

void draw_plot_hover(const PanelState& state, const Plot& plot, const PlotGeometry& geometry,
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
  if (plot.since) {
    const auto when = *plot.since + std::chrono::seconds(static_cast<std::int64_t>(point.x));
    text(fmt::format("{}: {}", on_the_clock(when, ahead_of_utc(when), true),
                     plot_value(plot.unit, point.y)));
    coloured_text(colour::dim, quartiles_of(point, plot.unit));
  } else if (plot.linear) {
    text(fmt::format("after {}: {}", plot_value(PlotUnit::milliseconds, point.x),
                     plot_value(plot.unit, point.y)));
  } else {
    text(fmt::format("{}: {}", group_digits(static_cast<std::uint64_t>(point.x)),
                     plot_value(plot.unit, point.y)));
    coloured_text(colour::dim, point.runs > 0 ? quartiles_of(point, plot.unit) : plot.unknown_runs);
  }
  ImGui::EndTooltip();
}

// The plot in a file's own words: without what was hidden.
request::WriteFile file_of(const Model& model, const Plot& plot, const PlotFiles& files,
                           std::string_view extension) {
  request::WriteFile file{.file = free_file(files.stem.text, std::string(extension))};
  if (extension == ".png")
    file.picture =
        plot_picture(plot, picture_scale * file_width, picture_scale * file_height, theme_in_use());
  else if (extension == ".svg")
    file.bytes = plot_as_svg(plot, file_width, file_height);
  else if (extension == ".csv")
    file.bytes = files.csv(files.answers);
  else
    file.bytes = lab_json(model.device, model.built_with, files.answers);
  return file;
}

}  // namespace

bool draw_lab_plot(const Plot& plot, const PanelState& state, std::set<std::string>& hidden,
                   float height, const PlotSegments* corner) {
  ImGui::BeginChild("plot", {0.0F, height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const PlotSurface surface{
      .width = std::max(size.x, 1.0F),
      .height = std::max(size.y, 1.0F),
      .em = em(),
      .text_width =
          [](std::string_view words) {
            return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
          },
      .titled = !plot.title.empty()};
  const PlotGeometry geometry = lay_out(plot, surface);
  draw_shapes(*ImGui::GetWindowDrawList(), plot_shapes(plot, geometry, surface), at, state.fonts,
              em(), theme_in_use());
  draw_legend(plot, geometry, at, hidden);
  draw_plot_hover(state, plot, geometry, at);
  bool has_chosen = false;
  if (corner != nullptr) {
    const float width = std::min(15.0F * em(), 0.5F * size.x);
    ImGui::SetCursorScreenPos({at.x + size.x - width, at.y});
    has_chosen = segments(corner->id, corner->labels, corner->chosen, width);
  }
  ImGui::EndChild();
  return has_chosen;
}

void draw_lab_plot_files(Model& model, PanelState& state, const Plot& plot,
                         const PlotFiles& files) {
  struct Format {
    const char *label, *extension, *explanation;
  };
  static constexpr std::array formats = {
      Format{"PNG", ".png", "The plot as a picture, in the window's theme"},
      Format{"SVG", ".svg", "The plot for documents, in the reader's theme"},
      Format{"CSV", ".csv", "The numbers, for spreadsheets"},
      Format{"JSON", ".json", "The numbers and their settings, for programs"}};
  const std::string proposed = (pictures_folder() / files.name).string();
  if (files.stem.proposed != proposed) files.stem.proposed = files.stem.text = proposed;
  ImGui::BeginDisabled(files.answers.empty());
  ImGui::AlignTextToFramePadding();
  coloured_text(colour::dim, "Save as");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(
      std::clamp(ImGui::GetContentRegionAvail().x - 30.0F * em(), 8.0F * em(), 26.0F * em()));
  ui::text_field("##stem", &files.stem.text);
  for (const Format& format : formats) {
    ImGui::SameLine();
    if (ui::button(format.label)) model.requests.add(file_of(model, plot, files, format.extension));
    const std::array about = {std::string(format.explanation)};
    tooltip(state.fonts, format.label, about);
  }
  ImGui::SameLine();
  if (ui::button("Copy as command")) {
    ImGui::SetClipboardText(shell_command(files.command).c_str());
    state.lab.copied = ImGui::GetTime();
  }
  ImGui::EndDisabled();
}

}  // namespace warpview
