// A against what runs now: a configuration that is kept, with its times.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/pinned_times.h"
#include "app/warm_up.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

using namespace std::string_literals;

std::vector<double> widened(const std::vector<float>& milliseconds) {
  return {milliseconds.begin(), milliseconds.end()};
}

// "A has 2 of 5 warm runs"; empty where it has enough.
std::string too_few(std::size_t runs, const char* of) {
  return runs < enough_warm_runs ? fmt::format("A has {} of {} {}", runs, enough_warm_runs, of)
                                 : std::string();
}

// The stage that is furthest from enough of them, among those that go on running as A is set.
std::string still_takes(const Model& model) {
  if (!model.pinned->takes_times) return {};
  std::size_t fewest = enough_warm_runs;
  for (const StageRow& row : model.stages) {
    const VariantTimes* const of_a = model.pinned->stage(row.result->name);
    const bool runs_on = row.every_frame || row.warm_up == WarmUp::to_come;
    if (of_a != nullptr && runs_on) fewest = std::min(fewest, warm_runs(*of_a));
  }
  return too_few(fewest, "warm runs");
}

// A's times of a stage. Are the times now those of the variant that is chosen?
const VariantTimes* comparable(const Model& model, const StageRow& row) {
  if (!model.pinned) return nullptr;
  const VariantTimes* const stage = model.pinned->stage(row.result->name);
  const bool has_times = stage && !stage->milliseconds.empty() && row.result->has_times() &&
                         row.result->done_by.empty() && row.variant == row.result->variant;
  const bool are_sound = has_times && quantile(stage->milliseconds, 0.25) > 0.0 &&
                         quantile(row.result->times(), 0.25) > 0.0;
  return are_sound ? stage : nullptr;
}

// What is shown otherwise than in A, a line each.
void add_shown_since(const Model& model, std::vector<std::string>& lines) {
  const auto compare = [&lines](const std::string& title, bool in_a, bool now) {
    if (in_a != now) lines.push_back(title + (in_a ? ": shown in A" : ": hidden in A"));
  };
  const PinnedRun& a = *model.pinned;
  for (const OutputRow& row : model.outputs)
    compare(row.title, a.shown.contains(row.name), row.shown);
  for (const LookSwitch& each : look_switches)
    compare(each.title, a.show.*each.value, model.show.*each.value);
}

}  // namespace

std::vector<std::string> changes_since_pinned(const Model& model) {
  std::vector<std::string> lines;
  for (const StageRow& row : model.stages) {
    const VariantTimes* const stage = model.pinned->stage(row.result->name);
    const auto was = stage ? stage->variant : std::nullopt;
    if (was && row.variant && was != row.variant)
      lines.push_back(fmt::format("{}: {} in A, {} now", row.result->title, (*was)->title,
                                  (*row.variant)->title));
  }
  for (std::size_t i = 0; i < model.controls.size(); ++i) {
    const Control& control = model.controls.all()[i];
    if (control.kind == Control::Kind::action) continue;
    if (model.controls.value(i) != model.pinned->controls.value(i))
      lines.push_back(fmt::format("{}: {} in A, {} now", control.title,
                                  value_in_words(control, model.pinned->controls.value(i)),
                                  value_in_words(control, model.controls.value(i))));
  }
  add_shown_since(model, lines);
  return lines;
}

namespace {

struct Difference {
  TimesPair pair;
  std::string why_not;  // they say nothing about each other
  Change change;
};

Difference difference_from(const Model& model, const StageRow& row, const VariantTimes& a) {
  // With other controls the comparison, which had one input, does not say what became of A.
  const bool same_input = model.controls == model.pinned->controls;
  const TimesPair pair = same_input ? pair_of(row, a) : TimesPair{a, row.times()};
  Difference difference{pair, pair.compared ? "" : why_not_comparable(pair.before, pair.now),
                        change_of(model, pair.before, pair.now)};
  if (!difference.why_not.empty()) difference.change.direction = 0;
  const std::string few = pair.compared || a.cold ? "" : too_few(warm_runs(a), "warm runs");
  if (!few.empty()) difference.change.take_no_side(few);
  return difference;
}

}  // namespace

void pin(Model& model) {
  PinnedRun run{.controls = model.controls, .stages = {}, .frames_ms = {}};
  for (const StageRow& row : model.stages) run.stages.emplace(row.result->name, row.times());
  if (model.moves()) run.frames_ms = widened(model.results->frame_parts.last_wholes);
  run.shown = model.choices().shown;
  run.show = model.show;
  run.scene = model.results->scene;
  model.pinned = std::move(run);
  model.requests.add(request::KeepPicture{});
}

void go_back_to_pinned(Model& model) {
  if (!model.pinned) return;
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    if (model.controls.all()[i].kind != Control::Kind::action)
      model.controls.set(i, model.pinned->controls.value(i));
  for (StageRow& row : model.stages)
    if (const VariantTimes* const stage = model.pinned->stage(row.result->name))
      if (row.variant && stage->variant) row.variant = stage->variant;
  for (OutputRow& row : model.outputs) row.shown = model.pinned->shown.contains(row.name);
  take_look(model.show, model.pinned->show);
}

void draw_pin(Model& model, const PanelState& state) {
  const FontScope small(state.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.6F * em(), 0.1F * em()));
  const auto button = [&](const char* label, const std::string& about) {
    const bool clicked = ui::button(label);
    tooltip(state.fonts, "", {&about, 1});
    return clicked;
  };
  if (!model.pinned) {
    const char* const label = "Pin as A";
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(label).x -
                         1.2F * em());
    if (button(
            label,
            "Keeps all variants, controls and times as A. Every stage then shows its ratio to A."))
      pin(model);
  } else {
    std::vector<std::string> changes = changes_since_pinned(model);
    const bool is_same = changes.empty();
    const std::string takes = is_same ? still_takes(model) : "";
    coloured_text(is_same ? colour::dim : colour::accent,
                  !is_same        ? "B: " + format_count(changes.size(), "change") + " since A"
                  : takes.empty() ? "Same as A"s
                                  : takes);
    if (is_same) changes = {"None: the variants and controls are A's."};
    if (!takes.empty())
      changes.emplace_back(
          "A's times are taken until the first change. Fewer runs are too cold "
          "for a comparison.");
    tooltip(state.fonts, "Changes since A", changes);
    ImGui::SameLine();
    ImGui::BeginDisabled(is_same);
    if (button("Go back to A", "Restores A's variants and controls.")) go_back_to_pinned(model);
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (button("Pin again", "Makes the current setting A.")) pin(model);
    ImGui::SameLine();
    if (button("Unpin", "Forgets A.")) model.pinned.reset();
  }
  ImGui::PopStyleVar();
}

bool differs_from_pinned(const Model& model, const StageRow& row) {
  const VariantTimes* const a = comparable(model, row);
  return a && (a->variant != row.variant || difference_from(model, row, *a).change.direction != 0);
}

void draw_stage_difference(const Model& model, const PanelState& state, const StageRow& row,
                           bool with_name) {
  const VariantTimes* const a = comparable(model, row);
  if (!a) return;
  const auto [pair, why_not, change] = difference_from(model, row, *a);
  std::string words = why_not.empty() ? change.words() : "A " + why_not;
  const FontScope small(state.fonts.small);
  ImGui::BeginGroup();
  if (!with_name) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour_of(change));
    elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
    ImGui::PopStyleColor();
  } else {
    const std::string before = (*a->variant)->title;
    const bool is_same = a->variant == row.variant;
    const std::string now =
        is_same ? "A -> now" : fmt::format("A, {} -> {}", before, (*row.variant)->title);
    // The variant that runs now stands in the row above, too.
    const std::string shorter = !why_not.empty() ? words
                                : is_same        ? std::string()
                                                 : fmt::format("A, {} -> now: {}", before, words);
    line_over_columns(now + ": " + words, colour_of(change), 0.0F, shorter);
  }
  ImGui::EndGroup();
  const std::array about = {taken_in_words("A", pair.before),
                            taken_in_words("Now", pair.now),
                            a->items == pair.now.items
                                ? std::string()
                                : fmt::format("A had {} items, now there are {}.",
                                              group_digits(a->items), group_digits(pair.now.items)),
                            change.ratio_in_words(),
                            std::string(pair.compared ? from_comparison : ""),
                            std::string(about_ratios)};
  tooltip(state.fonts, row.result->title, about);
}

void draw_frame_difference(const Model& model, const PanelState& state) {
  if (!model.pinned || model.pinned->frames_ms.empty()) return;
  const std::vector<double> now = widened(model.results->frame_parts.last_wholes);
  if (now.empty() || !(quantile(now, 0.0) > 0.0) || !(quantile(model.pinned->frames_ms, 0.0) > 0.0))
    return;
  Change change = change_of(spread_of(model.pinned->frames_ms), spread_of(now));
  if (std::string few = too_few(model.pinned->frames_ms.size(), "frames"); !few.empty())
    change.take_no_side(std::move(few));
  coloured_text(colour_of(change), "The frame, A -> now: " + change.words());
  const std::array about = {"A: " + statistics_in_words(model.pinned->frames_ms),
                            "Now: " + statistics_in_words(now), change.ratio_in_words(),
                            std::string(about_ratios)};
  tooltip(state.fonts, "Frame", about);
}

}  // namespace warpview
