#include "app/panels/tour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// ---- The steps ----------------------------------------------------------------------------------

constexpr const char* toured_stage = "sort";

bool has_turned(const Model& model, const PanelState& /*state*/, const TourMark& before) {
  constexpr float enough = 0.1F;  // radians
  return std::abs(model.camera.yaw - before.yaw) + std::abs(model.camera.pitch - before.pitch) >
         enough;
}

bool has_picked(const Model& model, const PanelState& /*state*/, const TourMark& before) {
  return !model.picked.empty() && tour_mark(model).picked != before.picked;
}

// The stage has run with another variant than before.
bool has_switched(const Model& model, const PanelState& /*state*/, const TourMark& before) {
  const StageRow* const row = model.stage(toured_stage);
  return row != nullptr && row->variant != before.variant && row->result->variant == row->variant;
}

bool has_compared(const Model& model, const PanelState& /*state*/, const TourMark& before) {
  const Comparison& last = model.results->comparison;
  return last.number > before.comparison && last.stage == toured_stage && !last.under_way &&
         !last.cancelled;
}

// A recording that the tab Steps shows.
bool has_watched(const Model& model, const PanelState& state, const TourMark& before) {
  const std::shared_ptr<PlayedRun>& run = model.lab.steps.shown[0].run;
  return run != nullptr && run != before.run && state.show_lab && state.lab.front == LabTask::steps;
}

constexpr TourStep::Widget the_view{"", "View"};

constexpr std::array tour_rows = {
    TourStep{
        .title = "Turn the model",
        .task = "Drag the mouse in the picture.",
        .outcome = "The wheel zooms, the right button moves, and F fits the model into the view.",
        .widget = the_view,
        .next = the_view,
        .is_done = has_turned},
    TourStep{.title = "Pick a triangle",
             .task = "Click the model: a ray goes through its BVH, and finds a triangle.",
             .outcome = "The panel at the lower left has its facts. The boxes in the picture are "
                        "the nodes on the way from the root to its leaf.",
             .widget = the_view,
             .next = the_view,
             .is_done = has_picked},
    TourStep{.title = "Switch a variant",
             .task = "The triangles were sorted by their Morton codes. Choose another variant of "
                     "the sort here.",
             .outcome = "The picture stays the same, the time does not. The line below compares "
                        "both variants, or says why their times cannot be compared.",
             .widget = {"Timings", "sort/variant"},
             .next = {"Timings", "sort/variant"},
             .is_done = has_switched},
    TourStep{
        .title = "Compare variants",
        .task = "Click Compare, the three bars: it runs all variants of the sort on this mesh.",
        .outcome = "The table has the median of each, its quartiles, and the ratio to the "
                   "variant that is chosen. Click one to choose it.",
        .widget = {"Timings", "sort/Compare"},
        .next = {"Timings", "comparison/onesweep"},
        .is_done = has_compared},
    TourStep{.title = "Watch a primitive",
             .task =
                 "Click Watch, the triangle: it records the sort of the first triangles of this "
                 "mesh, access by access.",
             .outcome = "Press Play, or go step by step with the left and right arrows. The other "
                        "tabs time the primitive, show its code and explain it.",
             .widget = {"Timings", "sort/Watch"},
             .next = {"Laboratory", "Play"},
             .is_done = has_watched}};

// ---- What a step needs --------------------------------------------------------------------------

const TourStep& step_of(const TourView& tour) { return tour_rows.at(*tour.step); }

TourStep::Widget widget_of(const TourView& tour) {
  const TourStep& step = step_of(tour);
  return tour.done ? step.next : step.widget;
}

// The panel that the widget is in, or the view. Where the step leads to the laboratory the user may
// have opened it since the step began.
void show_what_is_needed(PanelState& state, bool begins) {
  const std::string_view window = widget_of(state.tour).window;
  const bool leads_to_lab = std::string_view(step_of(state.tour).next.window) == "Laboratory";
  if (window == "Laboratory" || (!begins && leads_to_lab && state.show_lab)) {
    state.show_lab = true;
  } else if (window == "Timings") {
    if (!is_shown(state, Panel::timings) || state.show_lab) show_panel(state, Panel::timings, true);
  } else if (state.layout.view <= 0.0F) {
    state.show_lab = false;
    state.folded = true;
  }
}

void go_to_step(PanelState& state, std::size_t step) {
  state.tour = {.step = step, .card = state.tour.card};
  state.animates = true;
}

// ---- Ring, arrow and card -----------------------------------------------------------------------

ImVec2 area_middle(const Area& area) {
  return {area.x + 0.5F * area.width, area.y + 0.5F * area.height};
}

bool contains(const Area& outer, const Area& inner) {
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

// Beside the ring where there is room, or in its lower part where it is large.
Area place_for_card(const Area& ring, const Area& view, ImVec2 size) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float apart = 3.0F * em();
  const auto in_window = [&](float x, float y) {
    return Area{std::clamp(x, 0.0F, std::max(display.x - size.x, 0.0F)),
                std::clamp(y, 0.0F, std::max(display.y - size.y, 0.0F)), size.x, size.y};
  };
  const ImVec2 middle = area_middle(ring);
  if (ring.width > 1.2F * size.x && ring.height > 2.5F * size.y)
    return in_window(middle.x - 0.5F * size.x, ring.y + ring.height - size.y - 1.5F * em());
  const float right = ring.x + ring.width;
  const float bottom = ring.y + ring.height;
  // In the view, so that it covers no panel.
  if (ring.x > view.x + view.width && view.width > size.x + 2.0F * em())
    return in_window(view.x + view.width - size.x - em(), middle.y - 0.5F * size.y);
  if (ring.x > size.x + apart) return in_window(ring.x - apart - size.x, middle.y - 0.5F * size.y);
  if (display.y - bottom > size.y + apart)
    return in_window(middle.x - 0.5F * size.x, bottom + apart);
  if (display.x - right > size.x + apart) return in_window(right + apart, middle.y - 0.5F * size.y);
  return in_window(middle.x - 0.5F * size.x, ring.y - apart - size.y);
}

void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to) {
  const float x = to.x - from.x;
  const float y = to.y - from.y;
  const float length = std::hypot(x, y);
  const float head = 0.9F * em();
  if (length < 1.5F * head) return;
  const ImVec2 way{x / length, y / length};
  const ImVec2 base{to.x - head * way.x, to.y - head * way.y};
  const float half = 0.45F * head;
  list.AddLine(from, base, colour::accent, 0.2F * em());
  list.AddTriangleFilled(to, {base.x - half * way.y, base.y + half * way.x},
                         {base.x + half * way.y, base.y - half * way.x}, colour::accent);
}

// From the card's edge to the ring's, or to the middle of a ring around the card. A level arrow
// runs at the ring's lower edge: between two lines of a table, whose words it would strike out.
void point_at(const Area& ring, const Area& card) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRect({ring.x, ring.y}, {ring.x + ring.width, ring.y + ring.height}, colour::accent,
               0.4F * em(), ImDrawFlags_RoundCornersAll, 0.2F * em());
  const auto nearest = [](const Area& area, ImVec2 to) {
    return ImVec2{std::clamp(to.x, area.x, area.x + area.width),
                  std::clamp(to.y, area.y, area.y + area.height)};
  };
  const bool is_around = contains(ring, card);
  ImVec2 target = is_around ? area_middle(ring) : nearest(ring, area_middle(card));
  ImVec2 from = nearest(card, target);
  const float lower = ring.y + ring.height - 0.1F * em();
  const bool is_level = !is_around && from.y == target.y;
  if (is_level && lower < card.y + card.height) from.y = target.y = lower;
  const float short_of = is_around ? std::min(0.2F * ring.height, 4.0F * em()) : 0.0F;
  draw_arrow(list, from, {target.x, target.y + short_of});
}

// The ring around a widget, a little larger; the view's lies within its edges, and a small widget's
// does not reach the words beside it.
Area ring_around(const ui::WidgetRecord& widget) {
  const bool is_view = std::string_view(widget.kind) == "view";
  const bool is_small = widget.to.x - widget.from.x < 1.2F * em();
  const float more = (is_view ? -0.4F : is_small ? 0.1F : 0.35F) * em();
  return {widget.from.x - more, widget.from.y - more, widget.to.x - widget.from.x + 2.0F * more,
          widget.to.y - widget.from.y + 2.0F * more};
}

void draw_tour_buttons(PanelState& state) {
  TourView& tour = state.tour;
  const std::size_t step = *tour.step;
  const bool is_last = step + 1 == tour_rows.size();
  const ImVec2 size{5.5F * em(), 0.0F};
  ImGui::BeginDisabled(step == 0);
  const bool back = ui::button("Back", size);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (tour.done) {
    ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
  }
  const bool on = ui::button(!tour.done ? "Skip" : is_last ? "Finish" : "Next", size);
  if (tour.done) ImGui::PopStyleColor(2);
  ImGui::SameLine();
  if (ui::button("End tour", size)) {
    tour = {};
    return;
  }
  if (back) go_to_step(state, step - 1);
  if (on && is_last) tour = {};
  if (on && !is_last) go_to_step(state, step + 1);
}

void draw_tour_words(Model& model, PanelState& state) {
  const TourView& tour = state.tour;
  const TourStep& step = step_of(tour);
  {
    const FontScope bold(state.fonts.bold);
    text(fmt::format("{} of {}: {}", *tour.step + 1, tour_rows.size(), step.title));
  }
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 23.0F * em());
  if (!has_toured_scene(model)) {
    coloured_text(colour::dim, model.loading ? "The scene Mesh is being opened."
                                             : "The tour goes on in the scene Mesh.");
    ImGui::PopTextWrapPos();
    if (!model.loading && ui::button("Open it")) open_in_scene(scene_kinds().front(), model, state);
    return;
  }
  if (tour.done) coloured_text(colour::good, "Done.");
  coloured_text(colour::text, tour.done ? step.outcome : step.task);
  if (model.lab.records()) coloured_text(colour::dim, "Recording...");
  if (model.results->comparison.under_way) coloured_text(colour::dim, "Comparing...");
  ImGui::PopTextWrapPos();
}

}  // namespace

std::span<const TourStep> tour_steps() { return tour_rows; }

bool has_toured_scene(const Model& model) {
  return !model.loading && model.scene_kind == &scene_kinds().front() &&
         model.stage(toured_stage) != nullptr && model.first_picture_ms == 0.0;
}

TourMark tour_mark(const Model& model) {
  TourMark mark{.yaw = model.camera.yaw,
                .pitch = model.camera.pitch,
                .comparison = model.results->comparison.number,
                .run = model.lab.steps.shown[0].run};
  for (const Fact& fact : model.picked) {
    if (const auto* const n = std::get_if<std::uint64_t>(&fact.value))
      mark.picked += fmt::format("{}={} ", fact.name, *n);
    else if (const auto* const v = std::get_if<Vec3>(&fact.value))
      mark.picked += fmt::format("{}={},{},{} ", fact.name, v->x, v->y, v->z);
  }
  if (const StageRow* const row = model.stage(toured_stage)) mark.variant = row->variant;
  return mark;
}

void begin_tour(Model& model, PanelState& state) {
  state.welcome.form = WelcomeView::Form::closed;
  if (!has_toured_scene(model) && !model.loading)
    open_in_scene(scene_kinds().front(), model, state);
  state.tour = {};
  go_to_step(state, 0);
}

void look_for_toured(Model& model, PanelState& state) {
  TourView& tour = state.tour;
  if (!tour.step || state.welcome.form != WelcomeView::Form::closed) {
    ui::look_for({}, {});
    return;
  }
  if (has_toured_scene(model)) {
    const bool begins = !tour.mark;
    if (begins) tour.mark = tour_mark(model);
    if (!tour.done) tour.done = step_of(tour).is_done(model, state, *tour.mark);
    show_what_is_needed(state, begins);
  }
  const TourStep::Widget widget = widget_of(tour);
  ui::look_for(widget.window, widget.name);
}

void draw_tour(Model& model, PanelState& state) {
  TourView& tour = state.tour;
  if (!tour.step || state.welcome.form != WelcomeView::Form::closed) return;
  state.animates |= !tour.done;  // what it waits for may come without an event
  const ui::WidgetRecord* const widget = ui::found();
  const Area& view = state.view;
  const Area ring = widget != nullptr && widget->visible
                        ? ring_around(*widget)
                        : Area{view.x, view.y, view.width, view.height};
  const Area place = place_for_card(ring, view, {tour.card.width, tour.card.height});
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::Begin("Tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  draw_tour_words(model, state);
  ImGui::Dummy({0.0F, 0.2F * em()});
  const ImVec2 size = ImGui::GetWindowSize();
  // The place depends on what the last frame had: the card is drawn until it stays.
  const Area card = {place.x, place.y, size.x, size.y};
  state.animates |= !(card == std::exchange(tour.card, card));
  draw_tour_buttons(state);
  ImGui::End();
  if (state.tour.step && widget != nullptr && widget->visible) point_at(ring, place);
}

}  // namespace warpview
