// The laboratory's Counters tab: what each kernel did, on the CPU device that counts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "app/common/lab_operations.h"
#include "app/common/source_files.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// How bad a degree of bank conflict is; 1 is none.
ImU32 colour_of_degree(unsigned degree) {
  if (degree <= 1) return colour::good;
  if (degree < 4) return colour::warning;
  return degree < 8 ? colour::serious : colour::error;
}

ImU32 colour_of_coalescing(double share) {
  if (share >= 0.8) return colour::good;
  return share >= 0.4 ? colour::warning : colour::error;
}

struct Cell {
  std::string words;
  ImU32 colour = colour::text;
};
Cell cell(std::uint64_t count) {
  return {group_digits(count), count == 0 ? colour::faint : colour::text};
}

struct Column {
  const char* title;  // in one or two lines
  const char* name;   // in full
  const char* explanation;
  Cell (*value)(const KernelCounters& kernel);
};
constexpr std::array columns = {
    Column{"\nlaunches", "Launches", "launches of this kernel; the counts are sums over them",
           [](const KernelCounters& k) { return cell(k.launches); }},
    Column{"shared\naccesses", "Shared-memory accesses", "warps' accesses to shared memory",
           [](const KernelCounters& k) { return cell(k.shared_accesses); }},
    Column{"shared\ntransact.", "Shared-memory transactions",
           "an access with an n-way bank conflict takes n transactions",
           [](const KernelCounters& k) { return cell(k.shared_transactions); }},
    Column{"worst\nconflict", "Worst bank conflict",
           "the largest number of words that one access of a warp needs from one bank; 1-way: "
           "conflict-free",
           [](const KernelCounters& k) {
             return k.worst_degree == 0 ? Cell{"-", colour::faint}
                                        : Cell{fmt::format("{}-way", k.worst_degree),
                                               colour_of_degree(k.worst_degree)};
           }},
    Column{"\nsectors", "Sectors", "32-byte sectors of global memory accessed by warps",
           [](const KernelCounters& k) { return cell(k.global_sectors); }},
    Column{"sectors\n/access", "Sectors per access", "average sectors per access of a warp",
           [](const KernelCounters& k) {
             return k.global_accesses == 0
                        ? Cell{"-", colour::faint}
                        : Cell{fmt::format("{:.2f}", k.sectors_each()), colour::text};
           }},
    Column{"\ncoalesced", "Coalescing",
           "minimum sectors for the requested bytes / sectors; 100 %: fully coalesced",
           [](const KernelCounters& k) {
             return k.global_sectors == 0 ? Cell{"-", colour::faint}
                                          : Cell{format_percent(k.coalescing()),
                                                 colour_of_coalescing(k.coalescing())};
           }},
    Column{"\natomics", "Atomics", "atomic operations, one per lane",
           [](const KernelCounters& k) { return cell(k.atomics); }},
    Column{"atomic\nrounds", "Serialised atomic rounds",
           "lanes of a warp that contend on one address take turns: rounds that this takes",
           [](const KernelCounters& k) { return cell(k.atomic_rounds); }},
    Column{"\nbarriers", "Barriers", "block barriers",
           [](const KernelCounters& k) { return cell(k.barriers); }},
    Column{"warp\ncollect.", "Warp collectives", "shuffles, ballots, matches and syncs",
           [](const KernelCounters& k) { return cell(k.collectives); }},
    Column{"\ndivergent", "Divergent branches", "branches at which the lanes of a warp diverge",
           [](const KernelCounters& k) { return cell(k.divergent_branches); }},
    Column{"\noperators", "Operators", "applications of a block scan's operator",
           [](const KernelCounters& k) { return cell(k.operators); }},
    Column{"\ndepth", "Depth", "longest chain of dependent applications",
           [](const KernelCounters& k) { return cell(k.depth); }},
};
constexpr std::size_t columns_of_scans = 2;  // the last ones: nothing else notes its operator

// The degrees of conflict between the barriers of the first block, beside each other.
void draw_steps(const KernelCounters& kernel) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const float width = 1.7F * em();
  const float height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImVec2 corner = at;
  const float end = end_of_columns();
  clip_over_columns(end);
  constexpr const char* label = "bank conflicts by step";
  list->AddText({corner.x + em(), corner.y}, colour::dim, label);
  corner.x += ImGui::CalcTextSize(label).x + 1.6F * em();
  for (const CountedStep& step : kernel.steps) {
    if (step.worst_degree == 0) continue;
    if (corner.x + 2.0F * width > end) {
      list->AddText(corner, colour::dim, "...");
      break;
    }
    const ImU32 c = colour_of_degree(step.worst_degree);
    list->AddRectFilled(corner, {corner.x + width - 2.0F, corner.y + height}, c, 2.0F);
    const std::string words = std::to_string(step.worst_degree);
    const float slack = width - 2.0F - ImGui::CalcTextSize(words.c_str()).x;
    list->AddText({corner.x + 0.5F * slack, corner.y}, text_on(c), words.c_str());
    corner.x += width;
  }
  list->PopClipRect();
  ImGui::Dummy({em(), height});
}

bool touches_shared(const KernelCounters& kernel) {
  return std::any_of(kernel.steps.begin(), kernel.steps.end(),
                     [](const CountedStep& step) { return step.worst_degree > 0; });
}

void draw_kernel(const KernelCounters& kernel, std::size_t shown) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::Indent(em());
  const float room = ImGui::GetContentRegionAvail().x;
  const bool fits = ImGui::CalcTextSize(kernel.name.c_str()).x <= room;
  elided_text(fits ? kernel.name : std::string(bare_name(kernel.name)), room, Cut::end);
  if (!fits) whole_as_tooltip(kernel.name);
  ImGui::Unindent(em());
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::TableNextColumn();
    const Cell value = columns[i].value(kernel);
    text_to_right(value.colour, value.words);
  }
  if (!touches_shared(kernel)) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_steps(kernel);
}

void draw_variant(const PanelState& state, const lab::Answer& answer, std::size_t shown) {
  ImGui::TableNextRow(ImGuiTableRowFlags_None, 1.9F * em());
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.4F * em());
  const Variant& variant = **answer.variant;
  {
    const FontScope bold(state.fonts.bold);
    line_over_columns(variant.title, answer.why_not.empty() ? colour::text : colour::faint);
  }
  const std::array about = {std::string(variant.summary), std::string(variant.file)};
  tooltip(state.fonts, full_name(variant), about);
  std::string why;
  if (!answer.why_not.empty())
    why = "Unavailable: " + answer.why_not;
  else if (!answer.difference.empty())
    why = "Wrong: " + answer.difference;
  else if (answer.counters.empty())
    why = runs_on_host(*answer.variant, Backend::cpu) ? "runs on the host" : "launches no kernel";
  if (!why.empty())
    line_over_columns(why, answer.difference.empty() ? colour::faint : colour::error, em());
  for (const KernelCounters& kernel : answer.counters) draw_kernel(kernel, shown);
  if (const std::string words = lab_facts(answer); !words.empty()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    line_over_columns(words, colour::dim, em());
  }
}

// Wide enough for its title and for all that stands below it.
float width_of(const Column& column, const LabSeries& series) {
  float width = ImGui::CalcTextSize(column.title).x;
  for (const lab::Answer& answer : series.answers)
    for (const KernelCounters& kernel : answer.counters)
      width = std::max(width, ImGui::CalcTextSize(column.value(kernel).words.c_str()).x);
  return width;
}

// Both lines end at the right edge of the column.
void draw_title(const PanelState& state, const Column& column) {
  const std::string_view title = column.title;
  const std::size_t end = title.find('\n');
  ImGui::BeginGroup();
  text_to_right(colour::dim, title.substr(0, end));
  text_to_right(colour::dim, title.substr(end + 1));
  ImGui::EndGroup();
  const std::array about = {std::string(column.explanation)};
  tooltip(state.fonts, column.name, about);
}

void draw_heads(const PanelState& state, std::size_t shown) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::NewLine();
  coloured_text(colour::dim, "Variant, kernels");
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::TableNextColumn();
    draw_title(state, columns[i]);
  }
  ImGui::PopStyleVar();
}

// The first column and the titles stay where the rest is scrolled.
void draw_table(const PanelState& state, const LabSeries& series) {
  bool scans = false;
  for (const lab::Answer& answer : series.answers)
    for (const KernelCounters& kernel : answer.counters) scans = scans || kernel.operators > 0;
  const std::size_t shown = columns.size() - (scans ? 0 : columns_of_scans);
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(4.0F, 1.0F));
  if (ImGui::BeginTable("counters", static_cast<int>(shown) + 1, flags,
                        ImGui::GetContentRegionAvail())) {
    ImGui::TableSetupScrollFreeze(1, 1);
    const float padding = 2.0F * ImGui::GetStyle().CellPadding.x;
    std::array<float, columns.size()> widths{};
    float rest = ImGui::GetContentRegionAvail().x - padding - ImGui::GetStyle().ScrollbarSize;
    for (std::size_t i = 0; i < shown; ++i) {
      widths[i] = width_of(columns[i], series);
      rest -= widths[i] + padding;
    }
    ImGui::TableSetupColumn("kernel", ImGuiTableColumnFlags_WidthFixed,
                            std::max(rest, 11.0F * em()));
    for (std::size_t i = 0; i < shown; ++i)
      ImGui::TableSetupColumn(columns[i].name, ImGuiTableColumnFlags_WidthFixed, widths[i]);
    draw_heads(state, shown);
    for (const lab::Answer& answer : series.answers) draw_variant(state, answer, shown);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

void draw_controls(Model& model, const PanelState& state) {
  static constexpr std::array banks = {"16 banks", "32 banks"};
  LabModel& lab = model.lab;
  ImGui::BeginDisabled(lab.busy());
  int chosen = lab.banks == 16 ? 0 : 1;
  if (segments("banks", banks, chosen, 12.0F * em())) lab.banks = chosen == 0 ? 16 : 32;
  const std::array about = {
      std::string("Banks of shared memory. GPUs have 32; early ones had 16 and split an access "
                  "into two half-warps.")};
  tooltip(state.fonts, "", about);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const FontScope small(state.fonts.small);
  ImGui::AlignTextToFramePadding();
  const LabSeries& series = lab.shown(LabTask::counters);
  std::string words;
  if (!series.answers.empty())
    words = fmt::format(
        "{}, {}: {} {} over {} banks of shared memory; the same counts in every run",
        title(series.asked.primitive),
        lab::experiment(series.asked.primitive)
            .forms[static_cast<std::size_t>(series.asked.form)]
            .name,
        group_digits(series.asked.n), lab::experiment(series.asked.primitive).items, series.banks);
  ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
  elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_lab_counters(Model& model, PanelState& state) {
  draw_controls(model, state);
  const LabSeries& series = model.lab.shown(LabTask::counters);
  if (series.answers.empty()) {
    draw_empty_task(model, state, LabTask::counters,
                    {.example = draw_counters_example,
                     .sentence = "What each kernel did, counted access by access: bank conflicts, "
                                 "coalescing, atomics, divergence. The counts are equal in every "
                                 "run.",
                     .about = "Runs every variant on a CPU device that counts."});
    return;
  }
  const FontScope small(state.fonts.small);
  if (!series.error.empty()) paragraph(colour::error, series.error);
  draw_table(state, series);
}

}  // namespace warpview
