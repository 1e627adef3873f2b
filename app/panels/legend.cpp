// What the colours in the view mean, at its upper left: a bar with its ends, or swatches.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/render/ramps.h"
#include "gpu/steps/triangle_values.h"
#include "scenes/files/colour.h"

namespace warpview {
namespace {

float width_of_bar() { return 12.0F * em(); }
float height_of_bar() { return 0.8F * em(); }

ImU32 colour_at(Legend::Scale scale, float value, Theme theme) {
  switch (scale) {
    case Legend::Scale::ramp:
      return pack_rgb(ramp_colour(value));
    case Legend::Scale::sphere_ramp:
      return pack_rgb(sphere_ramp_colour(value));
    case Legend::Scale::sphere_hues:
      return pack_rgb(sphere_hue_colour(value));
    case Legend::Scale::blocks:
      return pack_rgb(block_colour(value));
    case Legend::Scale::strip:
      return pack_rgb(strip_colour(value, theme));
    case Legend::Scale::box_overlap:
      return pack_rgb(box_overlap_colour(value, theme));
    case Legend::Scale::box_path:
      return pack_rgb(box_path_colour(value, theme));
    case Legend::Scale::box_level:
    case Legend::Scale::swatches:
      break;
  }
  return colour::text;
}

// The first leaves side by side, or the values from 0 to 1.
void draw_scale_bar(Legend::Scale scale, Theme theme) {
  constexpr unsigned leaves = 16;
  constexpr unsigned steps = 64;  // enough for no step to be seen
  const unsigned pieces = scale == Legend::Scale::blocks ? leaves : steps;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{width_of_bar(), height_of_bar()};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const auto edge = [&](unsigned i) {
    return std::round(at.x + size.x * static_cast<float>(i) / static_cast<float>(pieces));
  };
  for (unsigned i = 0; i < pieces; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(pieces - 1);
    const float value = scale == Legend::Scale::blocks ? value_of_leaf(i) : share;
    list->AddRectFilled({edge(i), at.y}, {edge(i + 1), at.y + size.y},
                        colour_at(scale, value, theme));
  }
  ImGui::Dummy(size);
}

std::string number_in_words(double x) {
  if (x >= 0.0 && x < 1e15 && x == std::floor(x))
    return group_digits(static_cast<std::uint64_t>(x));
  return format_number(x);
}

std::string upper_end(const Legend& legend) {
  const std::string words = number_in_words(legend.most);
  return legend.more ? words + " and more" : words;
}

void draw_ends(const Legend& legend) {
  const float begin = ImGui::GetCursorPosX();
  if (!legend.note.empty()) {
    coloured_text(colour::text, elided(legend.note, width_of_bar(), Cut::end));
    return;
  }
  coloured_text(colour::text, number_in_words(legend.least));
  const std::string most = upper_end(legend);
  ImGui::SameLine(begin + width_of_bar() - ImGui::CalcTextSize(most.c_str()).x);
  coloured_text(colour::text, most);
}

void draw_swatch(const Legend::Swatch& swatch, float width) {
  const float side = height_of_bar();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 from{at.x, std::round(at.y + 0.5F * (ImGui::GetTextLineHeight() - side))};
  const ImVec2 to{from.x + side, from.y + side};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  if (!swatch.is_texture) list->AddRectFilled(from, to, pack_rgb(swatch.colour));
  list->AddRect(from, to, colour::faint);
  const float gap = 0.4F * em();
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0.0F, gap);
  const std::string name = swatch.is_texture ? swatch.name + " (texture)" : swatch.name;
  coloured_text(colour::text, elided(name, width - side - gap, Cut::end));
}

// Short names stand two in a line.
void draw_swatches(const Legend& legend) {
  const float half = 0.5F * width_of_bar();
  const float begin = ImGui::GetCursorPosX();
  const bool short_names =
      std::all_of(legend.swatches.begin(), legend.swatches.end(), [half](const auto& swatch) {
        return !swatch.is_texture &&
               ImGui::CalcTextSize(swatch.name.c_str()).x + 2.0F * em() < half;
      });
  for (std::size_t i = 0; i < legend.swatches.size(); ++i) {
    if (short_names && i % 2 == 1) ImGui::SameLine(begin + half);
    draw_swatch(legend.swatches[i], short_names ? half : width_of_bar());
  }
  if (legend.left_out > 0)
    coloured_text(colour::dim, fmt::format("and {} more", group_digits(legend.left_out)));
}

// Those of what is shown.
std::vector<const Legend*> wanted(const Model& model) {
  std::vector<const Legend*> legends;
  for (const Legend& legend : model.results->legends)
    if (legend.output < model.outputs.size() && model.outputs[legend.output].shown)
      legends.push_back(&legend);
  return legends;
}

void draw_one(const Legend& legend, const Model& model, const PanelState& state) {
  const Theme theme = model.show.theme;
  {
    const FontScope bold(state.fonts.bold);
    const std::string unit = *legend.unit ? fmt::format(", {}", legend.unit) : "";
    coloured_text(colour::text, elided(legend.title + unit, width_of_bar(), Cut::end));
  }
  if (legend.scale == Legend::Scale::swatches) {
    draw_swatches(legend);
  } else if (legend.scale == Legend::Scale::box_level) {
    draw_swatch({.name = "Level " + number_in_words(legend.least),
                 .colour = box_level_colour(static_cast<float>(legend.least), theme)},
                width_of_bar());
  } else {
    draw_scale_bar(legend.scale, theme);
    draw_ends(legend);
  }
  const bool is_surface = model.outputs[legend.output].kind == OutputKind::surface;
  if (is_surface && model.show.dims_surfaces && dimming_misses(model).empty())
    coloured_text(colour::dim, "dimmed under overlays");
}

}  // namespace

void draw_legend(const Model& model, PanelState& state) {
  const float before = std::exchange(state.legend_height, 0.0F);
  state.legend_width = 0.0F;
  if (!state.settings.legend || model.scene_name.empty()) return;
  // They are B's.
  const bool has_a = model.shows_a();
  if (has_a && model.ab.mode != AbView::Mode::divided) return;
  const std::vector<const Legend*> legends = wanted(model);
  if (legends.empty()) return;
  const Area& view = state.view;
  const FontScope small(state.fonts.small);
  // Beside it there is room for the scene, and for the axes.
  const float margin = 0.6F * em();
  const float padding = 0.6F * em();
  if (view.width < 2.0F * width_of_bar() || view.height < 26.0F * em()) return;
  ImGui::SetNextWindowPos({view.x + margin, view.y + margin});
  // Its width does not depend on what it says.
  ImGui::SetNextWindowSizeConstraints({width_of_bar() + 2.0F * padding, 0.0F},
                                      {view.width, view.height});
  begin_overlay("##legend", {padding, 0.4F * em()},
                ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  for (const Legend* const legend : legends) {
    if (legend != legends.front()) ImGui::Dummy({0.0F, 0.2F * em()});
    draw_one(*legend, model, state);
  }
  if (has_a) coloured_text(colour::dim, "of B, as it is now");
  state.legend_height = margin + ImGui::GetWindowHeight();
  state.legend_width = margin + ImGui::GetWindowWidth();
  ImGui::End();
  state.animates |= has_a && state.legend_height != before;  // letters of A|B make way
}

}  // namespace warpview
