#include "app/panels/step_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/named_widgets.h"
#include "app/panels/plot_view.h"
#include "app/panels/widgets.h"
#include "app/step_views/names.h"

namespace warpview {
namespace {

float width_of(std::string_view words) {
  return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
}

PlotBox box_around(const PlotShape& shape, float em) {
  if (shape.vertices.empty()) return {};
  PlotVertex low = shape.vertices.front();
  PlotVertex high = low;
  for (const PlotVertex& each : shape.vertices) {
    low = {std::min(low.x, each.x), std::min(low.y, each.y)};
    high = {std::max(high.x, each.x), std::max(high.y, each.y)};
  }
  if (shape.kind == PlotShape::Kind::text) {
    const float width = width_of(shape.words);
    if (shape.align == PlotShape::Align::middle) low.x -= 0.5F * width;
    if (shape.align == PlotShape::Align::right) low.x -= width;
    high = {low.x + width, low.y + em};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

float distance(PlotVertex p, PlotVertex a, PlotVertex b) {
  const float x = b.x - a.x;
  const float y = b.y - a.y;
  const float length = x * x + y * y;
  const float along =
      length > 0.0F ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0F, 1.0F) : 0.0F;
  return std::hypot(p.x - a.x - along * x, p.y - a.y - along * y);
}

bool is_inside(const std::vector<PlotVertex>& convex, PlotVertex p) {
  bool left = false;
  bool right = false;
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const PlotVertex& a = convex[i];
    const PlotVertex& b = convex[(i + 1) % convex.size()];
    const float side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    left = left || side > 0.0F;
    right = right || side < 0.0F;
  }
  return !(left && right);
}

bool is_under(const PlotShape& shape, PlotVertex place, float em) {
  const float reach = shape.kind == PlotShape::Kind::line ? std::max(shape.width, 0.3F * em) : 0.0F;
  const PlotBox box = box_around(shape, em);
  if (place.x < box.x - reach || place.x > box.right() + reach || place.y < box.y - reach ||
      place.y > box.bottom() + reach)
    return false;
  if (shape.kind == PlotShape::Kind::polygon) return is_inside(shape.vertices, place);
  if (shape.kind == PlotShape::Kind::text) return true;
  for (std::size_t i = 1; i < shape.vertices.size(); ++i)
    if (distance(place, shape.vertices[i - 1], shape.vertices[i]) <= reach) return true;
  return false;
}

// Around what is pointed at, and what belongs to it.
void outline(const PlotShape& shape, ImVec2 at, float em) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (shape.kind == PlotShape::Kind::text) {
    const PlotBox box = box_around(shape, em);
    list.AddRect({at.x + box.x - 1.0F, at.y + box.y - 1.0F},
                 {at.x + box.right() + 1.0F, at.y + box.bottom() + 1.0F}, colour::text);
    return;
  }
  std::vector<ImVec2> points;
  for (const PlotVertex& each : shape.vertices) points.emplace_back(at.x + each.x, at.y + each.y);
  const bool closed = shape.kind == PlotShape::Kind::polygon;
  list.AddPolyline(points.data(), static_cast<int>(points.size()), colour::text,
                   closed ? ImDrawFlags_Closed : ImDrawFlags_None, std::max(0.14F * em, 1.5F));
}

void draw_tooltip(const PlayedRun& run, const std::string& name, const Fonts& fonts) {
  const std::vector<std::string> lines = step_views::about(run.playback, name);
  if (lines.empty()) return;
  ImGui::BeginTooltip();
  for (const std::string& line : lines) {
    const FontScope font(&line == &lines.front() ? fonts.bold : nullptr);
    coloured_text(&line == &lines.front() ? colour::text : colour::dim, line);
  }
  ImGui::EndTooltip();
}

void bring_up_to_date(const PlayedRun& run, std::size_t index, StepStack& stack,
                      const StepGaze& gaze, float width) {
  StepStack::Drawn& drawn = stack.views[index];
  const std::uint32_t block = gaze.block.value_or(focus_of(run.playback).block);
  const std::size_t position = run.playback.at();
  const bool resized = drawn.width != width || drawn.em != em();
  if (!resized && drawn.position == position && drawn.block == block) return;
  if (resized) drawn.height = 0.0F;
  drawn.position = position;
  drawn.block = block;
  drawn.width = width;
  drawn.em = em();
  const PlotSurface surface{
      .width = width, .height = ImGui::GetWindowHeight(), .em = em(), .text_width = width_of};
  drawn.drawing = run.views[index].view->draw(run.playback, {.block = block}, surface);
  drawn.height = std::max(drawn.height, drawn.drawing.height);
}

// Takes what the mouse does over the shapes, whose origin is `at`.
void point(const PlayedRun& run, const StepStack::Drawn& drawn, ImVec2 at, StepGaze& gaze,
           const Fonts& fonts, std::string& pointed) {
  const bool clicked = ImGui::IsItemClicked(ImGuiMouseButton_Left);
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const PlotShape* const shape =
      shape_at(drawn.drawing.shapes, {mouse.x - at.x, mouse.y - at.y}, drawn.em);
  const std::string name = shape != nullptr ? shape->name : std::string();
  if (clicked) gaze.pinned = name == gaze.pinned ? std::string() : name;
  if (name.empty()) return;
  pointed = name;
  draw_tooltip(run, name, fonts);
}

void draw_view(const PlayedRun& run, std::size_t index, StepStack& stack, StepGaze& gaze,
               const Fonts& fonts, float width, const std::vector<std::string>& lit,
               std::string& pointed) {
  const PlayedRun::View& view = run.views[index];
  {
    const FontScope small(fonts.small);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    coloured_text(colour::dim, view.view->legend());
    ImGui::PopTextWrapPos();
  }
  bring_up_to_date(run, index, stack, gaze, width);
  const StepStack::Drawn& drawn = stack.views[index];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ui::invisible_button(view.row->name, {width, std::max(drawn.height, 1.0F)});
  draw_shapes(*ImGui::GetWindowDrawList(), drawn.drawing.shapes, at, fonts, drawn.em,
              theme_in_use());
  for (const PlotShape& shape : drawn.drawing.shapes)
    if (!shape.name.empty() && std::binary_search(lit.begin(), lit.end(), shape.name))
      outline(shape, at, drawn.em);
  point(run, drawn, at, gaze, fonts, pointed);
}

void begin_run(const PlayedRun& run, StepStack& stack) {
  if (stack.run != &run) stack = {.run = &run, .views = {}};
  stack.views.resize(run.views.size());
}

}  // namespace

const PlotShape* shape_at(const std::vector<PlotShape>& shapes, PlotVertex place, float em) {
  const auto found = std::find_if(shapes.rbegin(), shapes.rend(), [&](const PlotShape& shape) {
    return !shape.name.empty() && is_under(shape, place, em);
  });
  return found == shapes.rend() ? nullptr : &*found;
}

void draw_step_stack(const PlayedRun& run, StepStack& stack, StepGaze& gaze, const Fonts& fonts,
                     float width, int columns, std::string& pointed) {
  begin_run(run, stack);
  std::vector<std::string> lit;
  if (!gaze.name().empty()) lit = step_views::related_names(run.playback, gaze.name());
  std::sort(lit.begin(), lit.end());
  const ImVec2 origin = ImGui::GetCursorPos();
  const float gap = 1.2F * em();
  const float each =
      std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  std::array<float, 2> ends = {origin.y, origin.y};
  for (std::size_t i = 0; i < run.views.size(); ++i) {
    StepStack::Drawn& drawn = stack.views[i];
    // A view keeps its column, unless their number changes.
    if (drawn.width == 0.0F || drawn.column >= columns)
      drawn.column = columns > 1 && ends[1] < ends[0] ? 1 : 0;
    float& end = ends.at(static_cast<std::size_t>(drawn.column));
    ImGui::SetCursorPos({origin.x + static_cast<float>(drawn.column) * (each + gap), end});
    ImGui::BeginGroup();
    // ImGui's head lines go over the whole window.
    ImGui::PushItemWidth(each);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushClipRect({at.x, at.y}, {at.x + each, at.y + 1e5F}, true);
    ui::push_id(run.views[i].row->name);
    if (ui::fold(run.views[i].row->title, each))
      draw_view(run, i, stack, gaze, fonts, each, lit, pointed);
    ui::pop_id();
    ImGui::PopClipRect();
    ImGui::PopItemWidth();
    ImGui::EndGroup();
    end = ImGui::GetCursorPosY() + 0.4F * em();
  }
  ImGui::SetCursorPos({origin.x, *std::max_element(ends.begin(), ends.end())});
}

}  // namespace warpview
