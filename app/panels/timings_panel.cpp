#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/common/lab_operations.h"
#include "app/panels/format.h"
#include "app/panels/histogram.h"
#include "app/panels/kind_colours.h"
#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"
#include "app/warm_up.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

// A variant's row in the list of its combo box.
void draw_choice(const Model& model, const PanelState& state, StageRow& row, std::size_t index) {
  const VariantId variant = row.variants[index];
  if (variant_choice(state.fonts, *variant, row.variant == variant, row.why_not[index],
                     compared_in_words(model, row, variant)))
    row.variant = variant;
}

void draw_variants(const Model& model, const PanelState& state, StageRow& row) {
  const Variant& variant = **row.variant;
  if (begin_combo("##variant", variant.title, -1.0F)) {
    for (std::size_t i = 0; i < row.variants.size(); ++i) draw_choice(model, state, row, i);
    end_combo();
    return;
  }
  const std::array about = {std::string(variant.summary), std::string(variant.source),
                            std::string(variant.file)};
  tooltip(state.fonts, fmt::format("{}: {}", title(variant.primitive), full_name(variant)), about);
}

// What a stage without variants has in their place: how it differs from A, else its last times.
void draw_course(const Model& model, const PanelState& state, const StageRow& row) {
  const StageResult& result = *row.result;
  if (!result.done_by.empty()) return;
  const bool differs = differs_from_pinned(model, row);
  if (!differs && result.milliseconds.size() < 2) return;
  const float line = ImGui::GetFrameHeight();
  const FontScope small(state.fonts.small);
  const float height = ImGui::GetTextLineHeight();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5F * (line - height));
  if (differs)
    draw_stage_difference(model, state, row, false);
  else
    sparkline(result.milliseconds, static_cast<float>(result.median_ms),
              {ImGui::GetContentRegionAvail().x, height}, colour::accent);
}

// The two medians as bars, one below the other.
void draw_medians(double before, double now, float width, ImU32 c) {
  const double longer = std::max(before, now);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = 0.22F * em();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const auto draw = [&](double ms, float line, ImU32 of) {
    const float top = at.y + line * 1.4F * height;
    const float length = std::max(static_cast<float>(ms / longer) * width, 1.0F);
    list->AddRectFilled({at.x, top}, {at.x + length, top + height}, of);
  };
  draw(before, 0.0F, colour::faint);
  draw(now, 1.0F, c);
  ImGui::Dummy({width, 2.6F * height});
}

// Empty: not so long before that much else may have changed.
std::string why_stale(const VariantTimes& before, const VariantTimes& now) {
  constexpr std::chrono::minutes stale{10};
  const auto apart =
      std::chrono::duration_cast<std::chrono::minutes>(now.taken.at - before.taken.at);
  if (apart < stale) return {};
  return fmt::format("was timed {} before",
                     format_count(static_cast<std::uint64_t>(apart.count()), "minute"));
}

// What the last switch of the variant did: "resident -> onesweep: 1.43x (1.17 to 1.74)", over two
// bars, of before and of now.
void draw_change(const Model& model, const PanelState& state, const StageRow& row) {
  const StageResult& result = *row.result;
  if (!row.before || !result.has_times() || !result.done_by.empty() ||
      row.variant != result.variant)
    return;
  const TimesPair pair = pair_of(row, *row.before);
  std::string why_not;
  if (!pair.compared) why_not = why_not_comparable(pair.before, pair.now);
  if (!pair.compared && why_not.empty()) why_not = why_stale(pair.before, pair.now);
  const Change change = change_of(model, pair.before, pair.now);
  if (pair.before.items != pair.now.items || change.headline.empty()) return;
  const std::string before = (*pair.before.variant)->title;
  const std::string now = (*pair.now.variant)->title;
  const ImU32 c = why_not.empty() ? colour_of(change) : colour::dim;
  const FontScope small(state.fonts.small);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  // The variant that runs now stands in the row above, too.
  if (why_not.empty())
    line_over_columns(fmt::format("{} -> {}: {}", before, now, change.words()), c, 0.0F,
                      fmt::format("from {}: {}", before, change.words()));
  else
    line_over_columns(fmt::format("{}: {}", before, why_not), c);
  if (why_not.empty())
    draw_medians(median(pair.before.milliseconds), median(pair.now.milliseconds), width, c);
  ImGui::EndGroup();
  const std::array about = {
      taken_in_words(before, pair.before), taken_in_words(now, pair.now),
      why_not.empty() ? change.ratio_in_words()
                      : std::string("Compare runs both under the same conditions, with the same "
                                    "work."),
      std::string(pair.compared ? from_comparison : ""), std::string(about_ratios)};
  tooltip(state.fonts, "Effect of the switch", about);
}

// Why there are no more runs than that, and whether there will be.
std::string warm_up_in_words(const StageRow& row) {
  switch (row.warm_up) {
    case WarmUp::to_come:
      return fmt::format("Warm-up runs follow while the program is idle: {} of {}.",
                         row.result->milliseconds.size(), enough_warm_runs);
    case WarmUp::too_slow:
      return fmt::format(
          "No warm-up runs: it takes more than {}. Repeat runs it once more.",
          row.result->is_cold()
              ? format_count(std::uint64_t(longest_at_rest.cold_ms / 1e3), "second")
              : format_count(std::uint64_t(longest_at_rest.warm_ms / 1e3), "second"));
    case WarmUp::waits:
      return "Warm-up runs follow once the scene is paused.";
    case WarmUp::changes:
      return "No warm-up runs: its input must be rebuilt first. Repeat does so.";
    case WarmUp::none:
      break;
  }
  return {};
}

// Times, their spread, and what they are worth: the tooltip of a stage's time.
void explain_times(const Model& model, const PanelState& state, const StageRow& row) {
  const StageResult& result = *row.result;
  const std::vector<double> times = result.times();
  const bool is_cold = result.is_cold();
  const bool is_stale = row.variant != result.variant;
  const auto at = [&times](double share) { return format_milliseconds(quantile(times, share)); };
  const std::array about = {
      is_stale ? fmt::format("Times of {}; {} has not run yet.", (*result.variant)->title,
                             (*row.variant)->title)
               : std::string(),
      is_cold ? fmt::format("One cold run, {} ms: the first run is slower than later ones.",
                            format_milliseconds(result.median_ms))
              : fmt::format("{}, quartiles {} to {} ms:", format_count(times.size(), "warm run"),
                            at(0.25), at(0.75)),
      is_cold ? std::string()
              : fmt::format("min {}, p50 {}, p95 {}, max {}, last {} ms", at(0.0), at(0.5),
                            at(0.95), at(1.0), format_milliseconds(result.last_ms)),
      result.cold_ms && !is_cold ? fmt::format("Excludes the first, cold run: {} ms.",
                                               format_milliseconds(*result.cold_ms))
                                 : std::string(),
      is_stale ? std::string() : warm_up_in_words(row),
      result.runs > 1 ? fmt::format("Sum over its {} runs per frame.", result.runs) : std::string(),
      fmt::format("Minimum bytes {} / time: {}", format_bytes(result.work.bytes),
                  format_bandwidth(result.gb_per_s)),
      result.copy_share > 0.0
          ? fmt::format("{} of memcpy bandwidth (device to device, as many bytes, warm caches)",
                        format_percent(result.copy_share))
          : std::string("The memcpy bandwidth is not measured yet."),
      row.launch_bound ? std::string("Launch-bound: under 1 MB launches take the time, not memory.")
                       : std::string(),
      is_emulated(model) ? std::string("Emulated: the CPU's time says little about a GPU's.")
                         : std::string()};
  // Too few say nothing about where they fall.
  const bool has_histogram =
      times.size() >= enough_warm_runs &&
      std::all_of(times.begin(), times.end(), [](double ms) { return std::isfinite(ms); });
  tooltip(state.fonts, result.title, about,
          has_histogram ? std::function<void()>([&times] {
            draw_histogram(times, {24.0F * em(), 5.0F * em()});
          })
                        : std::function<void()>());
}

// The median over a bar of its share of the longest.
void draw_times(const Model& model, const PanelState& state, const StageRow& row, double longest) {
  const StageResult& result = *row.result;
  ImGui::AlignTextToFramePadding();
  if (!result.done_by.empty()) {
    text_to_right(colour::good, "fused");
    const std::array about = {fmt::format(
        "Fused into the stage {}: its chosen variant does this work, too.", result.done_by)};
    tooltip(state.fonts, "", about);
    return;
  }
  // Times of the previous variant, until the chosen one has run.
  const bool is_stale = row.variant != result.variant;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  {
    const FontScope bold(state.fonts.bold);
    text_to_right(is_stale           ? colour::faint
                  : result.is_cold() ? colour::dim
                                     : colour::text,
                  format_milliseconds(result.median_ms));
  }
  if (!result.has_times()) return;
  explain_times(model, state, row);
  const double share = result.median_ms / longest;
  // A dot below the last digit would look like a comma.
  if (!(share > 0.05) || share > 1.0) return;
  const float bottom = at.y + ImGui::GetFrameHeight();
  const float length = static_cast<float>(share) * width;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x + width - length, bottom - 0.16F * em()},
                                            {at.x + width, bottom}, colour_of_stage(result));
}

// On the cpu device kernels are emulated: how fast is no merit there.
ImU32 colour_of_share(const Model& model, double share) {
  if (is_emulated(model)) return colour::dim;
  if (share >= 0.5) return colour::good;
  return share >= 0.15 ? colour::accent : colour::warning;
}

// The last column at rest: the stage's fraction of memcpy bandwidth, or "cold".
void draw_share(const Model& model, const PanelState& state, const StageRow& row, ImVec2 at,
                float width) {
  const StageResult& result = *row.result;
  const bool has_share = result.done_by.empty() && result.has_times();
  std::string words = "-";
  ImU32 c = colour::faint;
  if (has_share && result.is_cold()) {
    words = "cold";
    c = colour::dim;
  } else if (has_share) {
    words = format_percent(result.copy_share);
    c = row.launch_bound ? colour::dim : colour_of_share(model, result.copy_share);
  }
  const float height = ImGui::GetFrameHeight();
  const FontScope small(state.fonts.small);
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  ImGui::GetWindowDrawList()->AddText({at.x + width - size.x, at.y + 0.5F * (height - size.y)}, c,
                                      words.c_str());
}

// The name: a link to its primitive, where it has variants.
void draw_stage_name(Model& model, PanelState& state, const StageRow& row) {
  const StageResult& result = *row.result;
  const bool is_link = !row.variants.empty();
  ImGui::AlignTextToFramePadding();
  const float width = ImGui::GetContentRegionAvail().x;
  // Small letters before dots.
  const bool is_long = ImGui::CalcTextSize(result.title.c_str()).x > width;
  const FontScope font(is_long ? state.fonts.small : nullptr);
  if (!is_link)
    elided_text(result.title, width, Cut::end);
  else if (link(result.title.c_str(), width))
    open_stage_in_laboratory(model, state, row);
  if (!is_link) ui::note_fact("stage", result.title, result.about);
  const std::array about = {
      std::string(result.about),
      fmt::format("{} items", group_digits(result.work.items)),
      result.has_times() ? runs_in_words(row.times()) : std::string(),
      is_link ? "--variant " + result.name + "=..." : std::string(),
      is_link ? std::string("Click to open its primitive in the laboratory.") : std::string(),
      std::string(page_hint)};
  tooltip(state.fonts, result.title, about);
  if (asks_for_page()) open_stage_page(model, state, row);
}

// From the left edge of the table to its right one, as high as the line that begins here.
bool points_at_line() {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float top = ImGui::GetCursorScreenPos().y - style.CellPadding.y;
  const float bottom = top + ImGui::GetFrameHeight() + 2.0F * style.CellPadding.y;
  const float left = ImGui::GetWindowPos().x;
  return ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
         ImGui::IsMouseHoveringRect({left, top}, {left + ImGui::GetWindowWidth(), bottom}, false);
}

// A line, and where the variant was switched another.
void draw_stage(Model& model, PanelState& state, std::size_t index, double longest) {
  StageRow& row = model.stages[index];
  const bool has_variants = !row.variants.empty();
  ImGui::TableNextRow();
  ui::push_id(row.result->name.c_str());
  ImGui::TableNextColumn();
  const bool pointed_at = points_at_line();
  draw_stage_mark(model, state, row, 0.9F * em());
  ImGui::SameLine(0.0F, 0.25F * em());
  draw_stage_name(model, state, row);
  ImGui::TableNextColumn();
  if (!has_variants)
    draw_course(model, state, row);
  else
    draw_variants(model, state, row);
  if (has_variants && differs_from_pinned(model, row))
    draw_stage_difference(model, state, row, true);
  else if (has_variants)
    draw_change(model, state, row);
  ImGui::TableNextColumn();
  draw_times(model, state, row, longest);
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  if (!draw_stage_actions(model, state, row, pointed_at)) draw_share(model, state, row, at, width);
  ui::pop_id();
}

void draw_header(const PanelState& state) {
  static constexpr std::array titles = {"Stage", "Variant", "Median, ms", "of memcpy"};
  const FontScope small(state.fonts.small);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    ImGui::TableNextColumn();
    if (i >= 2)
      text_to_right(colour::dim, titles[i]);
    else
      coloured_text(colour::dim, titles[i]);
  }
}

// Files of all stages' times.
void draw_export(Model& model, const PanelState& state) {
  struct Format {
    const char *label, *extension, *about;
  };
  static constexpr std::array formats = {
      Format{"CSV", ".csv", "One line per stage, for spreadsheets."},
      Format{"JSON", ".json", "With the scene and its controls, the same as --report."}};
  const float line = ImGui::GetTextLineHeight();
  const FontScope small(state.fonts.small);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5F * (line - ImGui::GetTextLineHeight()));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.5F * em(), 0.0F));
  coloured_text(colour::dim, "Save times as");
  for (const Format& format : formats) {
    ImGui::SameLine(0.0F, 0.4F * em());
    if (ui::button(format.label)) {
      const auto stem =
          pictures_folder() / fmt::format("warpview-{}-times", model.scene_kind->name);
      model.requests.add(request::WriteReport{free_file(stem.string(), format.extension)});
    }
    const std::array about = {
        std::string("Variants, items, bytes; n, min, quartiles, median, p95, max and the cold run; "
                    "GB/s and the fraction of memcpy bandwidth."),
        std::string(format.about)};
    tooltip(state.fonts, "All stages' times", about);
  }
  ImGui::PopStyleVar();
}

// A fused stage stands beside the one that does its work.
bool runs_every_frame(const Model& model, const StageRow& row) {
  const StageRow* const does_it =
      row.result->done_by.empty() ? nullptr : model.stage(row.result->done_by);
  return (does_it != nullptr ? *does_it : row).every_frame;
}

// A head line with the sum, and the stages below it; those that ran once can be folded away.
void draw_group(Model& model, PanelState& state, bool every_frame) {
  std::vector<std::size_t> members;
  double longest = 0.0;
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    const StageRow& row = model.stages[i];
    if (!row.has_run || runs_every_frame(model, row) != every_frame) continue;
    members.push_back(i);
    if (row.result->done_by.empty() && std::isfinite(row.result->median_ms))
      longest = std::max(longest, row.result->median_ms);
  }
  if (members.empty()) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  bool open = true;
  {
    const FontScope bold(state.fonts.bold);
    ImGui::AlignTextToFramePadding();
    if (every_frame)
      text("Each frame");
    else
      open = ui::fold("Once", ImGui::GetContentRegionAvail().x);
  }
  const std::array about = {std::string(
      every_frame
          ? "Stages that run every frame, and the sum of their medians."
          : "Stages that ran once, for what was opened or set, and the sum of their medians.")};
  tooltip(state.fonts, "", about);
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  {
    const FontScope bold(state.fonts.bold);
    ImGui::AlignTextToFramePadding();
    text_to_right(colour::text, format_milliseconds(sum_of_stages(model, every_frame)));
  }
  ImGui::TableNextColumn();
  if (!open) return;
  for (const std::size_t member : members) draw_stage(model, state, member, longest);
}

// The one file that holds each variant chosen, if there is room left for the list.
void draw_files(Model& model, PanelState& state) {
  const FontScope small(state.fonts.small);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  if (ImGui::GetContentRegionAvail().y < static_cast<float>(model.stages.size() + 2) * line + em())
    return;
  section(state.fonts, "Source files");
  for (const StageRow& row : model.stages) {
    if (row.variants.empty() || !row.has_run) continue;
    const Variant& variant = **row.variant;
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    elided_text(row.result->title, 8.6F * em(), Cut::end);
    ImGui::PopStyleColor();
    ImGui::SameLine(9.0F * em());
    ui::push_id(row.result->name.c_str());
    if (link(variant.file, ImGui::GetContentRegionAvail().x))
      open_laboratory(model, state, variant.primitive, row.variant, LabTask::code);
    ui::pop_id();
    const std::array about = {std::string(variant.summary), std::string(variant.source)};
    tooltip(state.fonts, variant.name, about);
  }
}

}  // namespace

std::string runs_in_words(const VariantTimes& times) {
  return times.cold ? fmt::format("one cold run, {} ms", format_milliseconds(times.milliseconds[0]))
                    : statistics_in_words(times.milliseconds);
}

std::string taken_in_words(const std::string& name, const VariantTimes& times) {
  std::string words = name + ": " + runs_in_words(times);
  const TimesTaken& taken = times.taken;
  if (taken.at == std::chrono::system_clock::time_point{}) return words;
  words += fmt::format("; at {}, {}", time_of_day(taken.at), taken.moving ? "animated" : "at rest");
  if (taken.others)
    words += fmt::format(", other programs on {:.0f} % of the processors", 100.0 * *taken.others);
  return words;
}

std::string why_not_comparable(const VariantTimes& before, const VariantTimes& now) {
  constexpr double another_load = 0.2;  // of the processors
  const TimesTaken& then = before.taken;
  if (then.moving != now.taken.moving)
    return then.moving ? "was timed while animated" : "was timed at rest";
  if (then.others && now.taken.others && std::abs(*then.others - *now.taken.others) > another_load)
    return "was timed under a different system load";
  // One time includes what another stage does beside the other.
  for (const std::string& each : before.fused)
    if (std::ranges::find(now.fused, each) == now.fused.end()) return "its time includes " + each;
  for (const std::string& each : now.fused)
    if (std::ranges::find(before.fused, each) == before.fused.end())
      return "its time does not include " + each;
  return {};
}

Change change_of(const Model& model, const VariantTimes& before, const VariantTimes& now) {
  Change change = change_of(spread_of(before.milliseconds), spread_of(now.milliseconds));
  const auto native = [&model](const VariantTimes& times) {
    return times.variant && runs_on_host(*times.variant, model.device.backend);
  };
  const bool native_before = native(before);
  const bool native_now = native(now);
  if (before.cold || now.cold)
    change.take_no_side("cold run");
  else if (native_before != native_now)
    change.take_no_side(native_now ? native_in_words : "from native code");
  return change;
}

void draw_timings_panel(Model& model, PanelState& state) {
  draw_headline(model, state);
  if (model.stages.empty()) {
    ImGui::Separator();
    coloured_text(colour::dim, "The stages' times appear when a scene is open.");
    return;
  }
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH;
  if (!ImGui::BeginTable("stages", 4, flags)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthFixed, 9.0F * em());
  ImGui::TableSetupColumn("variant", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, 5.0F * em());
  ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthFixed, 4.6F * em());
  draw_header(state);
  draw_group(model, state, true);
  draw_group(model, state, false);
  ImGui::EndTable();
  draw_export(model, state);
  draw_comparison(model, state);
  draw_blocks_at_work(model, state);
  draw_window_bar(model, state);
  draw_files(model, state);
}

}  // namespace warpview
