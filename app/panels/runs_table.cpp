#include "app/panels/runs_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/common/fuzzy.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

using Column = RunsView::Column;

// Does each word that was typed occur in one of them?
bool matches(const std::string& typed, const MeasuredRun& run) {
  const LabCsvRow& row = run.row;
  const std::array texts = {row.variant,
                            variant_title(row),
                            row.primitive,
                            primitive_title(row.primitive),
                            row.form,
                            row.distribution,
                            run.backend,
                            run.device,
                            run.asked_by,
                            group_digits(row.items),
                            std::to_string(row.items),
                            on_the_clock(run.at, ahead_of_utc(run.at), true)};
  std::size_t at = 0;
  while ((at = typed.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(typed.find(' ', at), typed.size());
    const std::string word = typed.substr(at, end - at);
    const bool is_there = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return fuzzy_match(word, text).has_value();
    });
    if (!is_there) return false;
    at = end;
  }
  return true;
}

double iqr(const LabCsvRow& row) { return row.quartile_3_ms - row.quartile_1_ms; }

int outcome(const LabCsvRow& row) { return !row.difference.empty() ? 2 : row.verified ? 0 : 1; }

bool less(const MeasuredRun& a, const MeasuredRun& b, Column by) {
  switch (by) {
    case Column::at:
      return std::pair(a.at, a.id) < std::pair(b.at, b.id);
    case Column::primitive:
      return primitive_title(a.row.primitive) < primitive_title(b.row.primitive);
    case Column::form:
      return a.row.form < b.row.form;
    case Column::variant:
      return variant_title(a.row) < variant_title(b.row);
    case Column::items:
      return a.row.items < b.row.items;
    case Column::ms:
      return a.row.ms < b.row.ms;
    case Column::quartiles:
      return iqr(a.row) < iqr(b.row);
    case Column::runs:
      return a.row.runs < b.row.runs;
    case Column::verified:
      return outcome(a.row) < outcome(b.row);
    case Column::device:
      return std::pair(a.backend, a.device) < std::pair(b.backend, b.device);
  }
  return false;
}

struct Head {
  Column column;
  const char* title;
  float ems;  // of the panel's small letters
  bool to_right;
  const char* about;
};
constexpr std::array heads = {
    Head{Column::at, "When", 9.0F, false, "When the run ended"},
    Head{Column::primitive, "Primitive", 8.4F, false, "The primitive"},
    Head{Column::form, "Form", 7.0F, false, "The form; of a comparison, the scene's stage"},
    Head{Column::variant, "Variant", 10.4F, false, "The variant"},
    Head{Column::items, "Items", 5.6F, true, "Items of the input"},
    Head{Column::ms, "Median, ms", 6.8F, true, "Median time"},
    Head{Column::quartiles, "Quartiles", 8.2F, true,
         "A quarter of the runs took less, a quarter more; sorted by their distance"},
    Head{Column::runs, "Runs", 3.4F, true, "Runs that were timed"},
    Head{Column::verified, "Verified", 4.8F, false, "Was the result compared with the reference?"},
    Head{Column::device, "Device", 4.0F, false, "Backend and device; takes the rest of the line"},
};

// The columns over a width; those that have no room are left out, the least told first.
struct Columns {
  std::vector<Head> heads;
  std::vector<std::pair<float, float>> places;  // from, to

  Columns(float from, float width) {
    static constexpr std::array leave_out = {Column::device, Column::form, Column::verified,
                                             Column::runs, Column::quartiles};
    heads.assign(warpview::heads.begin(), warpview::heads.end());
    for (const Column column : leave_out) {
      if (from + needed() <= width) break;
      std::erase_if(heads, [column](const Head& head) { return head.column == column; });
    }
    const float scale = std::min((width - from) / std::max(needed(), 1.0F), 1.25F);
    float at = from;
    for (const Head& head : heads) {
      const bool is_last = &head == &heads.back() && !head.to_right;
      const float end = is_last ? width : at + scale * head.ems * em();
      places.emplace_back(at, std::max(end, at + 1.0F));
      at = places.back().second;
    }
  }

 private:
  float needed() const {
    float sum = 0.0F;
    for (const Head& head : heads) sum += head.ems * em();
    return sum;
  }
};

std::string time_in_words(const MeasuredRun& run, std::chrono::sys_seconds now) {
  const auto day = [](std::chrono::sys_seconds at) {
    return std::chrono::floor<std::chrono::days>(at + ahead_of_utc(at));
  };
  return on_the_clock(run.at, ahead_of_utc(run.at), day(run.at) != day(now));
}

struct Cell {
  std::string words;
  ImU32 c = colour::text;
};

Cell cell_of(const MeasuredRun& run, Column column, std::chrono::sys_seconds now) {
  const LabCsvRow& row = run.row;
  const bool is_timed = row.ms > 0.0;
  switch (column) {
    case Column::at:
      return {time_in_words(run, now), colour::dim};
    case Column::primitive:
      return {primitive_title(row.primitive)};
    case Column::form:
      return {row.form, colour::dim};
    case Column::variant:
      return {variant_title(row)};
    case Column::items:
      return {group_digits(row.items)};
    case Column::ms:
      return {is_timed ? format_milliseconds(row.ms) : "-",
              is_timed ? colour::text : colour::faint};
    case Column::quartiles:
      return {is_timed ? fmt::format("{} to {}", format_milliseconds(row.quartile_1_ms),
                                     format_milliseconds(row.quartile_3_ms))
                       : "",
              colour::dim};
    case Column::runs:
      return {is_timed ? group_digits(static_cast<std::uint64_t>(row.runs)) : "", colour::dim};
    case Column::verified:
      if (!row.difference.empty()) return {"wrong", colour::error};
      return row.verified ? Cell{"yes", colour::good} : Cell{"-", colour::faint};
    case Column::device:
      return {run.backend, colour::dim};
  }
  return {};
}

void put(const std::string& words, ImVec2 at, float width, float height, bool to_right, ImU32 c) {
  const std::string shown = elided(words, width, Cut::end);
  if (to_right) at.x += width - ImGui::CalcTextSize(shown.c_str()).x;
  at.y += 0.5F * (height - ImGui::GetTextLineHeight());
  ImGui::GetWindowDrawList()->AddText(at, c, shown.c_str());
}

float cell_gap() { return 0.8F * em(); }

// A triangle behind the title that the rows are sorted by.
void draw_order(ImVec2 at, bool descending) {
  const float half = 0.28F * em();
  const float way = descending ? half : -half;
  ImGui::GetWindowDrawList()->AddTriangleFilled({at.x - half, at.y - 0.6F * way},
                                                {at.x + half, at.y - 0.6F * way},
                                                {at.x, at.y + way}, colour::accent);
}

void sort_by(RunsView& view, Column column) {
  // The newest, and the slowest, are what one looks for first.
  const bool falls = column == Column::at || column == Column::ms || column == Column::items;
  view.descending = view.sorted_by == column ? !view.descending : falls;
  view.sorted_by = column;
}

void draw_heads(const PanelState& state, RunsView& view, const Columns& columns) {
  const ImVec2 at = ImGui::GetCursorPos();
  const ImVec2 screen = ImGui::GetCursorScreenPos();
  const float height = 1.7F * em();
  for (std::size_t i = 0; i < columns.heads.size(); ++i) {
    const Head& head = columns.heads[i];
    const auto [from, to] = columns.places[i];
    ImGui::SetCursorPos({at.x + from, at.y});
    const bool is_key = view.sorted_by == head.column;
    const std::string id = fmt::format("##{}", head.title);
    if (ui::selectable(id.c_str(), false, ImGuiSelectableFlags_None, {to - from - 2.0F, height},
                       std::string("Sort by ") + head.title))
      sort_by(view, head.column);
    const std::array about = {std::string(head.about), std::string("Click to sort by it.")};
    tooltip(state.fonts, head.title, about);
    const float order = is_key ? 1.0F * em() : 0.0F;
    const float width = to - from - cell_gap();
    put(head.title, {screen.x + from, screen.y}, width - order, height, head.to_right,
        is_key ? colour::text : colour::dim);
    if (!is_key) continue;
    const float words = ImGui::CalcTextSize(head.title).x;
    draw_order({screen.x + from + (head.to_right ? width : words + order) - 0.4F * em(),
                screen.y + 0.5F * height},
               view.descending);
  }
  ImGui::SetCursorPos({at.x, at.y + height + 2.0F});
}

std::string asked_in_words(const MeasuredRun& run) {
  if (run.asked_by == "sweep") return "from a sweep";
  if (run.asked_by == "compare") return "from a comparison of the stage " + run.row.form;
  return "from a run";
}

void describe(const PanelState& state, const MeasuredRun& run) {
  const LabCsvRow& row = run.row;
  std::vector<std::string> about = {
      fmt::format("{}, {}, {} {} items, seed {}; {}.", primitive_title(row.primitive), row.form,
                  group_digits(row.items), row.distribution, row.seed, asked_in_words(run))};
  if (row.ms > 0.0)
    about.push_back(fmt::format("Median of {}: {} ms, quartiles {} and {}.",
                                format_count(static_cast<std::uint64_t>(row.runs), "run"),
                                format_milliseconds(row.ms), format_milliseconds(row.quartile_1_ms),
                                format_milliseconds(row.quartile_3_ms)));
  if (!row.difference.empty()) about.push_back("Wrong: " + row.difference);
  about.push_back(fmt::format("{}, {}.", run.backend, run.device));
  about.emplace_back("Click to set the laboratory up for this run again.");
  const std::optional<VariantId> variant = variant_of(row);
  tooltip(state.fonts, variant ? full_name(**variant) : row.variant, about);
}

// True: the run was clicked.
bool draw_run_row(const PanelState& state, RunsView& view, const MeasuredRun& run,
                  const Columns& columns, std::chrono::sys_seconds now) {
  const float height = 1.75F * em();
  const ImVec2 at = ImGui::GetCursorPos();
  const ImVec2 screen = ImGui::GetCursorScreenPos();
  ui::push_id(std::to_string(run.id).c_str());
  bool is_selected = view.selected.contains(run.id);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.18F * em(), 0.18F * em()));
  ImGui::SetCursorPosY(at.y + 0.5F * (height - ImGui::GetFrameHeight()));
  if (ui::checkbox("##plot", &is_selected)) {
    if (is_selected)
      view.selected.insert(run.id);
    else
      view.selected.erase(run.id);
  }
  ImGui::PopStyleVar();
  const std::array in_plot = {std::string("Shows the run in the plot.")};
  tooltip(state.fonts, "", in_plot);
  const float from = columns.places.front().first;
  ImGui::SetCursorPos({at.x + from, at.y});
  const float width = columns.places.back().second - from;
  const bool clicked = ui::selectable("##run", is_selected, ImGuiSelectableFlags_None,
                                      {width, height}, run.row.variant);
  describe(state, run);
  for (std::size_t i = 0; i < columns.heads.size(); ++i) {
    const auto [left, right] = columns.places[i];
    const Cell cell = cell_of(run, columns.heads[i].column, now);
    put(cell.words, {screen.x + left, screen.y}, right - left - cell_gap(), height,
        columns.heads[i].to_right, cell.c);
  }
  ui::pop_id();
  ImGui::SetCursorPos({at.x, at.y + height});
  return clicked;
}

}  // namespace

void find_runs(const LabRuns& runs, RunsView& view) {
  const std::string of =
      fmt::format("{} {} {} {}\n{}", runs.version(), view.primitive,
                  static_cast<int>(view.sorted_by), view.descending, view.filter);
  if (view.rows_of == of) return;
  view.rows_of = of;
  view.rows.clear();
  for (const MeasuredRun& run : runs.all())
    if ((view.primitive.empty() || view.primitive == run.row.primitive) &&
        matches(view.filter, run))
      view.rows.push_back(run);
  std::stable_sort(
      view.rows.begin(), view.rows.end(), [&view](const MeasuredRun& a, const MeasuredRun& b) {
        return view.descending ? less(b, a, view.sorted_by) : less(a, b, view.sorted_by);
      });
}

const MeasuredRun* draw_runs_table(PanelState& state, float below) {
  RunsView& view = state.lab.runs;
  const FontScope small(state.fonts.small);
  const float box = 2.0F * em();
  const Columns columns(box, ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize);
  draw_heads(state, view, columns);
  const MeasuredRun* clicked = nullptr;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
  ImGui::BeginChild("rows", {0.0F, std::max(ImGui::GetContentRegionAvail().y - below, em())});
  scroll_by_keys("##scroll");
  const auto now = std::chrono::floor<std::chrono::seconds>(state.clock());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(view.rows.size()), 1.75F * em());
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const MeasuredRun& run = view.rows[static_cast<std::size_t>(i)];
      if (draw_run_row(state, view, run, columns, now)) clicked = &run;
    }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return clicked;
}

}  // namespace warpview
