// What the scene's contenders cost: their facts side by side, and their times over the number of
// units of work.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/panels/budget_plot.h"
#include "app/panels/format.h"
#include "app/panels/lab_plot.h"
#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// Facts of all contenders that say the same of each: a row of the table.
struct FactRow {
  std::string name;  // behind the dot
  std::vector<const Fact*> facts;
};

std::vector<FactRow> rows_of(const Snapshot& results) {
  const std::vector<Contender>& contenders = results.budgets->contenders;
  std::vector<FactRow> rows;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const std::string prefix = contenders[i].group + ".";
    for (const Fact& fact : results.facts) {
      if (!fact.name.starts_with(prefix) || std::holds_alternative<std::string>(fact.value))
        continue;
      const std::string name = fact.name.substr(prefix.size());
      auto row = std::ranges::find(rows, name, &FactRow::name);
      if (row == rows.end())
        row = rows.insert(rows.end(), {name, std::vector<const Fact*>(contenders.size())});
      row->facts[i] = &fact;
    }
  }
  return rows;
}

// The numbers alone: units stand in the row's title.
std::string value_in_words(const Fact& fact) {
  if (const auto* n = std::get_if<std::uint64_t>(&fact.value)) return group_digits(*n);
  const auto* x = std::get_if<double>(&fact.value);
  if (x == nullptr || !(*x > 0.0)) return "-";
  return *x >= 999.5 ? format_number(std::round(*x)) : fmt::format("{:.3g}", *x);
}

void draw_heads(const Budgets& budgets, const PanelState& state, const Plot& plot) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (std::size_t i = 0; i < budgets.contenders.size(); ++i) {
    ImGui::TableNextColumn();
    const FontScope bold(state.fonts.bold);
    text_to_right(colour_of_plot(plot_ink_of(plot.series[i])), budgets.contenders[i].letter());
    const std::array about = {budgets.contenders[i].name};
    tooltip(state.fonts, "", about);
  }
}

void draw_fact_row(const FactRow& row, Model& model, PanelState& state) {
  const auto any =
      std::ranges::find_if(row.facts, [](const Fact* fact) { return fact != nullptr; });
  const Fact& first = **any;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  // Contenders may have other words for the same: the build of one is the refit of another.
  const bool is_same = std::ranges::all_of(row.facts, [&first](const Fact* fact) {
    return fact == nullptr || fact->title == first.title;
  });
  std::string title = is_same ? first.title : "Update";
  if (*first.unit) title += std::string(", ") + first.unit;
  ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
  elided_text(title, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
  const std::array about = {first.tooltip, std::string(page_hint)};
  tooltip(state.fonts, "", about);
  if (asks_for_page()) open_scene_page(model, state, "facts");
  for (const Fact* fact : row.facts) {
    ImGui::TableNextColumn();
    text_to_right(colour::text, fact != nullptr ? value_in_words(*fact) : "");
    if (fact == nullptr) continue;
    ui::note_fact(fact->name.c_str(), value_in_words(*fact), fact->tooltip);
    tooltip(state.fonts, "", about);
  }
}

void draw_names(const Budgets& budgets, const PanelState& state, const Plot& plot) {
  const FontScope small(state.fonts.small);
  for (std::size_t i = 0; i < budgets.contenders.size(); ++i) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour_of_plot(plot_ink_of(plot.series[i])));
    elided_text(budgets.contenders[i].name, ImGui::GetContentRegionAvail().x, Cut::end);
    ImGui::PopStyleColor();
  }
}

void draw_table(Model& model, PanelState& state, const Plot& plot) {
  const Budgets& budgets = *model.results->budgets;
  draw_names(budgets, state, plot);
  const FontScope small(state.fonts.small);
  if (!ImGui::BeginTable("contenders", static_cast<int>(budgets.contenders.size()) + 1)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 2.3F);
  for (std::size_t i = 0; i < budgets.contenders.size(); ++i)
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0F);
  draw_heads(budgets, state, plot);
  for (const FactRow& row : rows_of(*model.results)) draw_fact_row(row, model, state);
  ImGui::EndTable();
}

}  // namespace

bool is_of_contender(const Snapshot& results, const Fact& fact) {
  return results.budgets &&
         std::ranges::any_of(results.budgets->contenders, [&fact](const Contender& contender) {
           return fact.name.starts_with(contender.group + ".");
         });
}

void draw_budgets(Model& model, PanelState& state) {
  if (!model.results->budgets) return;
  section(state.fonts, "Contenders");
  const Plot plot = budget_plot(*model.results->budgets);
  draw_table(model, state, plot);
  const bool is_measured = std::ranges::any_of(
      plot.series, [](const PlotSeries& series) { return !series.points.empty(); });
  std::set<std::string> hidden;  // none: there is no legend to hide curves by
  if (is_measured) draw_lab_plot(plot, state, hidden, 13.0F * em());
  const std::string cheapest = cheapest_in_words(*model.results->budgets);
  const FontScope small(state.fonts.small);
  if (!cheapest.empty()) paragraph(colour::dim, "Cheapest: " + cheapest + ".");
}

}  // namespace warpview
