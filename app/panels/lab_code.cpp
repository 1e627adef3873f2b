// The laboratory's Code tab: one variant's file, and the kernels that it launched.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/source_files.h"
#include "app/panels/widgets.h"
#include "kernel_source.h"

namespace warpview {
namespace {

bool is_embedded(std::string_view name) {
  const auto names = kernel_source_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

const lab::Answer* answer_of(const LabModel& lab, int row) {
  for (const lab::Answer& answer : lab.times.answers)
    if (answer.row == row) return &answer;
  return nullptr;
}

void draw_variants(const Model& model, PanelState& state, const Variant& variant, float width) {
  LabView& view = state.lab;
  if (!begin_combo("##variant", variant.name, width)) return;
  for (const int row : variants_of(model.lab.question.primitive)) {
    const Variant& each = variant_at(row);
    if (ui::selectable(each.name, row == view.row)) view.row = row;
    const std::array about = {std::string(each.summary), std::string(each.source),
                              std::string(each.file)};
    tooltip(state.fonts, each.name, about);
  }
  ImGui::EndCombo();
}

void draw_files(const PanelState& state, LabView& view) {
  if (!begin_combo("##file", view.file.c_str(), ImGui::GetContentRegionAvail().x)) return;
  for (const std::string& file : view.files) {
    if (ui::selectable(file.c_str(), file == view.file)) view.file = file;
    if (file == view.files.front() && view.files.size() > 1) {
      const FontScope small(state.fonts.small);
      coloured_text(colour::dim, "What it is made of");
    }
  }
  ImGui::EndCombo();
}

void show_line(LabView& view, int line) { view.scroll_to = view.marked = line; }

// The kernels of the PTX that is shown.
void draw_entries(LabView& view) {
  if (view.entries.empty()) return;
  const auto chosen =
      std::find_if(view.entries.begin(), view.entries.end(),
                   [&view](const PtxEntry& entry) { return entry.line == view.marked; });
  const char* const preview = chosen == view.entries.end() ? "its kernels" : chosen->name.c_str();
  if (!begin_combo("##entry", preview, ImGui::GetContentRegionAvail().x)) return;
  for (std::size_t i = 0; i < view.entries.size(); ++i) {
    const PtxEntry& entry = view.entries[i];
    ImGui::PushID(static_cast<int>(i));
    if (ui::selectable(entry.name.c_str(), entry.line == view.marked)) show_line(view, entry.line);
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

void draw_choices(const Model& model, PanelState& state, const Variant& variant) {
  static constexpr std::array kinds = {"Source", "PTX"};
  LabView& view = state.lab;
  const float width = ImGui::GetContentRegionAvail().x;
  const float gap = 0.7F * em();
  draw_variants(model, state, variant, 0.28F * width);
  ImGui::SameLine(0.0F, gap);
  int kind = view.ptx ? 1 : 0;
  if (segments("kind", kinds, kind, 0.18F * width)) view.ptx = kind == 1;
  ImGui::SameLine(0.0F, gap);
  if (view.ptx)
    draw_entries(view);
  else
    draw_files(state, view);
}

bool is_of(const PtxEntry& entry, const LaunchRecord& record) {
  // Where the device tells no symbol, any instance of the kernel will do.
  return record.symbol.empty() ? bare_name(entry.name) == bare_name(record.kernel)
                               : same_symbol(entry.symbol, record.symbol);
}

// Makes what is to be shown, if that has changed.
void refresh(LabView& view, const Variant& variant, const lab::Answer* answer);

// Brings a kernel that was launched into view: in whichever of the files it is, or in the PTX that
// is shown.
void show_kernel(LabView& view, const lab::Answer& answer, const LaunchRecord& record) {
  if (!view.ptx) {
    const auto place = find_kernel(view.files, record.kernel);
    if (!place) return;
    view.file = place->file;
    refresh(view, variant_at(view.row), &answer);
    show_line(view, place->line);
    return;
  }
  const auto entry = std::find_if(view.entries.begin(), view.entries.end(),
                                  [&record](const PtxEntry& each) { return is_of(each, record); });
  if (entry != view.entries.end()) show_line(view, entry->line);
}

std::string extent(const std::array<unsigned, 3>& size) {
  std::string words = group_digits(size[0]);
  if (size[1] > 1 || size[2] > 1) words += " x " + group_digits(size[1]);
  if (size[2] > 1) words += " x " + group_digits(size[2]);
  return words;
}

std::string known(int number) {
  return number < 0 ? "-" : group_digits(static_cast<unsigned>(number));
}

// The table of kernels: what a column says, and of which launch.
struct Column {
  const char* title;
  const char* explanation;
  std::string (*value)(const LaunchRecord& record);
};
constexpr std::size_t columns_of_every_device = 3;  // the rest is known to cuda and hip alone
constexpr std::array columns = {
    Column{"launches", "equal ones in one run",
           [](const LaunchRecord& r) { return group_digits(static_cast<std::uint64_t>(r.count)); }},
    Column{"blocks", "of a launch: its grid", [](const LaunchRecord& r) { return extent(r.grid); }},
    Column{"threads", "of a block", [](const LaunchRecord& r) { return extent(r.block); }},
    Column{"registers", "of a thread", [](const LaunchRecord& r) { return known(r.registers); }},
    Column{"shared, B", "shared memory of a block, static",
           [](const LaunchRecord& r) { return known(r.shared_bytes); }},
    Column{"local, B",
           "of a thread, in device memory: spilled registers, arrays without fixed indices",
           [](const LaunchRecord& r) { return known(r.local_bytes); }},
    Column{"resident", "blocks that fit on one multiprocessor at once",
           [](const LaunchRecord& r) { return known(r.blocks_per_multiprocessor); }},
};

void draw_occupancy(const LaunchRecord& record) {
  ImGui::Indent(0.8F * em());
  const float bar_begin = ImGui::GetCursorPosX() + 3.0F * em();
  text(record.occupancy < 0.0 ? "-" : format_percent(record.occupancy));
  ImGui::SameLine(bar_begin);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.3F * em());
  bar(static_cast<float>(std::max(record.occupancy, 0.0)),
      {ImGui::GetContentRegionAvail().x, 0.45F * em()}, colour::accent);
  ImGui::Unindent(0.8F * em());
}

// As tall as its rows, up to a third of the tab.
void draw_table(PanelState& state, const lab::Answer& answer, bool gpu) {
  const std::vector<LaunchRecord>& launches = answer.launches;
  const std::size_t shown = gpu ? columns.size() : columns_of_every_device;
  const float line = ImGui::GetTextLineHeight() + 2.0F * ImGui::GetStyle().CellPadding.y;
  const auto rows = static_cast<float>(launches.size() + 1);
  const float height =
      std::min(rows * line + 2.0F, std::max(ImGui::GetContentRegionAvail().y / 3.0F, 3.0F * line));
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("kernels", static_cast<int>(shown) + (gpu ? 2 : 1), flags, {0.0F, height}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("kernel", ImGuiTableColumnFlags_WidthStretch);
  for (std::size_t i = 0; i < shown; ++i)
    ImGui::TableSetupColumn(columns[i].title, ImGuiTableColumnFlags_WidthFixed, 5.2F * em());
  if (gpu) ImGui::TableSetupColumn("occupancy", ImGuiTableColumnFlags_WidthFixed, 9.0F * em());

  const auto head = [&state](const char* title, const std::string& explanation, bool right) {
    ImGui::TableNextColumn();
    right ? text_to_right(colour::dim, title) : coloured_text(colour::dim, title);
    tooltip(state.fonts, title, {&explanation, 1});
  };
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  head("kernel", "as its launch spells it", false);
  for (std::size_t i = 0; i < shown; ++i) head(columns[i].title, columns[i].explanation, true);
  if (gpu)
    head("   occupancy", "warps of the resident blocks, of those that a multiprocessor can hold",
         false);
  for (std::size_t row = 0; row < launches.size(); ++row) {
    const LaunchRecord& record = launches[row];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(row));
    if (ui::selectable("##kernel", false, ImGuiSelectableFlags_SpanAllColumns))
      show_kernel(state.lab, answer, record);
    ImGui::PopID();
    ImGui::SameLine(0.0F, 0.0F);
    elided_text(record.kernel, ImGui::GetContentRegionAvail().x);
    for (std::size_t i = 0; i < shown; ++i) {
      ImGui::TableNextColumn();
      text_to_right(colour::text, columns[i].value(record));
    }
    if (!gpu) continue;
    ImGui::TableNextColumn();
    draw_occupancy(record);
  }
  ImGui::EndTable();
}

void draw_kernels(const Model& model, PanelState& state, const lab::Answer* answer) {
  const FontScope small(state.fonts.small);
  if (answer == nullptr || answer->launches.empty()) {
    const char* why = "It launched no kernel here.";
    if (answer == nullptr)
      why = "Run it to see the kernels that it launches, their registers and occupancy.";
    if (is_library(state.lab.row)) why = "The vendor's library launches kernels of its own.";
    coloured_text(colour::dim, why);
    return;
  }
  const bool gpu = model.device.backend != Backend::cpu;
  draw_table(state, *answer, gpu);
  if (!gpu)
    coloured_text(colour::dim,
                  "On a GPU: its registers, shared and local bytes, and occupancy, too.");
}

void refresh(LabView& view, const Variant& variant, const lab::Answer* answer) {
  const std::string wanted = view.ptx ? std::string("PTX of ") + variant.file : view.file;
  if (view.shown == wanted) return;
  view.shown = wanted;
  view.entries.clear();
  view.scroll_to = 0;
  view.marked = -1;
  if (!view.ptx) {
    const bool there = is_embedded(view.file);
    view.code = tinted(there ? kernel_source(view.file) : "// This program holds no such file.",
                       Language::kernel);
    return;
  }
  // Of the kernels that its files define: others were compiled together with them.
  const std::vector<std::string> files = source_files(variant);
  const std::string ptx = only_entries(ptx_of(variant.file), [&files](const PtxEntry& entry) {
    return find_kernel(files, entry.name).has_value();
  });
  view.code = tinted(ptx.empty() ? "// " + why_no_ptx(variant.file) : ptx, Language::ptx);
  view.entries = ptx_entries(ptx);
  if (answer != nullptr && !answer->launches.empty())
    show_kernel(view, *answer, answer->launches.front());
  if (view.marked < 0 && !view.entries.empty()) show_line(view, view.entries.front().line);
}

// Finds the files anew where the variant or its launches are others than before.
void find_files(LabView& view, const Variant& variant, const lab::Answer* answer) {
  std::string made_for = variant.file;
  std::span<const LaunchRecord> launches;
  if (answer != nullptr) launches = answer->launches;
  for (const LaunchRecord& launch : launches) made_for += '\n' + launch.kernel;
  if (view.files_of != made_for) {
    view.files_of = made_for;
    view.files = source_files(variant, launches);
  }
  if (std::find(view.files.begin(), view.files.end(), view.file) == view.files.end())
    view.file = view.files.front();
}

}  // namespace

void draw_lab_code(const Model& model, PanelState& state) {
  LabView& view = state.lab;
  const Variant& variant = variant_at(view.row);
  const lab::Answer* const answer = answer_of(model.lab, view.row);
  find_files(view, variant, answer);
  draw_choices(model, state, variant);
  refresh(view, variant, answer);
  draw_kernels(model, state, answer);
  ImGui::Dummy({0.0F, 0.1F * em()});
  draw_code("code", view.code, state.fonts, view.scroll_to, view.marked);
  view.scroll_to = -1;
}

}  // namespace warpview
