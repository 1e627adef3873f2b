// All variants of a stage on the scene's own input, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/common/lab_operations.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

// Key in the panel's storage: frames until the comparison has scrolled into view.
constexpr ImGuiID scroll_key = 0x636f6d70U;
constexpr int frames_to_scroll = 3;

const VariantTimes* times_of_variant(const Comparison& comparison,
                                     std::optional<VariantId> variant) {
  for (const VariantTimes& compared : comparison.variants)
    if (compared.variant == variant && !compared.milliseconds.empty()) return &compared;
  return nullptr;
}

// The running one, or else the last of the stage that is looked at.
const Comparison* comparison_of(const Model& model, const PanelState& state) {
  const Comparison& now = model.results->comparison;
  if (now.under_way && now.stage == state.comparison) return &now;
  const StageRow* const row = model.stage(state.comparison);
  return row && row->compared ? &*row->compared : nullptr;
}

// The fastest first, then what is still to come, then what cannot run.
std::vector<VariantTimes> in_order(const Comparison& comparison) {
  std::vector<VariantTimes> variants = comparison.variants;
  const auto place = [](const VariantTimes& compared) {
    if (!compared.why_not.empty()) return 1e300;
    return compared.milliseconds.empty() ? 1e299 : median(compared.milliseconds);
  };
  std::stable_sort(variants.begin(), variants.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
  return variants;
}

void draw_times(const Model& model, const PanelState& state, const VariantTimes& compared,
                const Comparison& comparison) {
  const Spread spread = spread_of(compared.milliseconds);
  const std::string about = statistics_in_words(compared.milliseconds);
  ImGui::TableNextColumn();
  text_to_right(colour::text, format_milliseconds(spread.median));
  tooltip(state.fonts, full_name(**compared.variant), {&about, 1});
  ImGui::TableNextColumn();
  coloured_text(colour::dim, fmt::format("{} to {}", format_milliseconds(spread.quartile_1),
                                         format_milliseconds(spread.quartile_3)));
  ImGui::TableNextColumn();
  const VariantTimes* const chosen = times_of_variant(comparison, comparison.chosen);
  std::string words = "-";
  ImU32 c = colour::faint;
  if (compared.variant == comparison.chosen) {
    words = "chosen";
    c = colour::dim;
  } else if (chosen) {
    const Change change = change_of(model, *chosen, compared);
    words = change.words();
    c = colour_of(change);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, c);
  elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

// True when it was clicked.
bool draw_row(const Model& model, const PanelState& state, const VariantTimes& compared,
              const Comparison& comparison) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool runs = comparison.under_way && comparison.running == compared.variant;
  const VariantId variant = compared.variant.value();
  bool clicked = false;
  if (compared.why_not.empty())
    clicked = link(variant->title, ImGui::GetContentRegionAvail().x, variant->name);
  else
    coloured_text(colour::faint, variant->title);
  const std::array about = {std::string(variant->summary),
                            runs_on_host(variant, model.device.backend)
                                ? std::string("Native, not emulated.")
                                : std::string()};
  tooltip(state.fonts, full_name(*variant), about);
  if (compared.why_not.empty() && !compared.milliseconds.empty()) {
    draw_times(model, state, compared, comparison);
    return clicked;
  }
  ImGui::TableNextColumn();
  text_to_right(colour::faint, runs ? "runs" : "-");
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
  elided_text(compared.why_not, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
  return clicked;
}

}  // namespace

std::string compared_in_words(const Model& model, const StageRow& row, VariantId of) {
  if (!row.compared) return {};
  const VariantTimes* const variant = times_of_variant(*row.compared, of);
  if (!variant) return {};
  std::string words = format_milliseconds(median(variant->milliseconds)) + " ms";
  const VariantTimes* const chosen = times_of_variant(*row.compared, row.compared->chosen);
  if (chosen && chosen != variant) words += ", " + change_of(model, *chosen, *variant).words();
  return words;
}

TimesPair pair_of(const StageRow& row, const VariantTimes& before) {
  TimesPair pair{before, row.times()};
  if (!row.compared || before.variant == pair.now.variant || row.compared->items != before.items ||
      before.items != pair.now.items)
    return pair;
  const VariantTimes* const earlier = times_of_variant(*row.compared, before.variant);
  const VariantTimes* const now = times_of_variant(*row.compared, pair.now.variant);
  if (!earlier || !now) return pair;
  return {*earlier, *now, true};
}

void ask_for_comparison(Model& model, PanelState& state, const StageRow& row) {
  model.requests.add(request::Compare{row.result->name});
  state.comparison = row.result->name;
  ImGui::GetStateStorage()->SetInt(scroll_key, frames_to_scroll);
}

void draw_comparison(Model& model, PanelState& state) {
  const Comparison* const comparison = comparison_of(model, state);
  if (!comparison) return;
  const StageRow* const stage = model.stage(comparison->stage);
  if (!stage) return;
  const float top = ImGui::GetCursorPosY();
  std::string title = "All variants: " + stage->result->title;
  if (!comparison->variants.empty())
    for (const std::string& fused : comparison->variants.front().fused) title += " and " + fused;
  section(state.fonts, title.c_str());
  const float below = ImGui::GetCursorPosY();
  // In the line of the title, which ends above the section's rule.
  const float middle = 0.5F * (top + below + 0.15F * em());
  const FontScope small(state.fonts.small);
  const char* const words = comparison->under_way ? "Cancel" : "Close";
  ImGui::SetCursorPos({ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(words).x - em(),
                       middle - 0.5F * ImGui::GetTextLineHeight()});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.5F * em(), 0.0F));
  ui::push_id("comparison");
  if (ui::button(words)) {
    if (comparison->under_way)
      model.requests.add(request::CancelComparison{});
    else
      state.comparison.clear();
  }
  ImGui::PopStyleVar();
  ImGui::SetCursorPosY(below);
  if (!ImGui::BeginTable("compared", 4)) return ui::pop_id();
  ImGui::TableSetupColumn("variant", ImGuiTableColumnFlags_WidthFixed, 9.0F * em());
  ImGui::TableSetupColumn("median", ImGuiTableColumnFlags_WidthFixed, 4.9F * em());
  ImGui::TableSetupColumn("quartiles", ImGuiTableColumnFlags_WidthFixed, 6.5F * em());
  ImGui::TableSetupColumn("ratio", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextRow();
  static constexpr std::array heads = {"Variant", "Median, ms", "Quartiles", "Chosen -> variant"};
  for (std::size_t i = 0; i < heads.size(); ++i) {
    ImGui::TableNextColumn();
    if (i == 1)
      text_to_right(colour::dim, heads[i]);
    else
      coloured_text(colour::dim, heads[i]);
  }
  for (const VariantTimes& compared : in_order(*comparison))
    if (draw_row(model, state, compared, *comparison))
      for (StageRow& row : model.stages)
        if (row.result->name == comparison->stage) row.variant = compared.variant;
  ImGui::EndTable();
  ui::pop_id();
  // Where it is asked for there may be no room for it: once it has its size it comes into view.
  int& left = *ImGui::GetStateStorage()->GetIntRef(scroll_key);
  if (left > 0) {
    ImGui::SetScrollHereY(1.0F);
    --left;
  }
}

}  // namespace warpview
