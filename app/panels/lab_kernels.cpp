// Below the laboratory's Code tab: the kernels that a run launched, and its scratch memory.
#include "app/panels/lab_kernels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

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
    Column{"launches", "identical launches in one run",
           [](const LaunchRecord& r) { return group_digits(static_cast<std::uint64_t>(r.count)); }},
    Column{"blocks", "grid size", [](const LaunchRecord& r) { return extent(r.grid); }},
    Column{"threads", "block size", [](const LaunchRecord& r) { return extent(r.block); }},
    Column{"registers", "per thread", [](const LaunchRecord& r) { return known(r.registers); }},
    Column{"shared, B", "static shared memory per block",
           [](const LaunchRecord& r) { return known(r.shared_bytes); }},
    Column{"local, B",
           "per thread, in device memory: spilled registers, dynamically indexed arrays",
           [](const LaunchRecord& r) { return known(r.local_bytes); }},
    Column{"resident", "resident blocks per SM",
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

// As tall as its rows, up to a third of the tab or as it was dragged.
class TableHeight {
 public:
  TableHeight(PanelState& state, std::size_t rows)
      : state_(state), unit_(settings_unit(state.fonts)) {
    const float line = ImGui::GetTextLineHeight() + 2.0F * ImGui::GetStyle().CellPadding.y;
    const float room = ImGui::GetContentRegionAvail().y;
    const float all = static_cast<float>(rows + 1) * line + 2.0F;
    least_ = std::min(3.0F * line, all);
    most_ = std::max(std::min(all, room - 8.0F * line), least_);
    const auto dragged = static_cast<float>(state.settings.kernels_height) * unit_;
    height_ = dragged > 0.0F ? std::clamp(dragged, least_, most_)
                             : std::min(all, std::max(room / 3.0F, 3.0F * line));
    top_ = ImGui::GetCursorScreenPos().y;
  }
  float get() const { return height_; }

  // The edge below the table.
  void draw_edge() {
    if (most_ <= least_) return;
    const float width = ImGui::GetContentRegionAvail().x;
    const float thick = std::round(0.4F * em());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ui::Splitter bar =
        ui::splitter("Height of kernels", {width, thick}, false, std::round(height_ / unit_));
    draw_splitter(bar, {at.x, at.y + 0.5F * thick}, {at.x + width, at.y + 0.5F * thick});
    int& setting = state_.settings.kernels_height;
    if (bar.double_clicked) setting = 0;
    if (bar.dragged_to) {
      const float gap = at.y - top_ - height_;
      const float height = std::clamp(*bar.dragged_to - top_ - gap, least_, most_);
      setting = static_cast<int>(std::lround(height / unit_));
    }
    if (bar.let_go || bar.double_clicked) state_.settings_changed = true;
  }

 private:
  PanelState& state_;
  float unit_;  // of the settings
  float top_ = 0.0F, height_ = 0.0F, least_ = 0.0F, most_ = 0.0F;
};

// Returns the launch that was clicked; null: none.
const LaunchRecord* draw_table(const Model& model, PanelState& state, const lab::Answer& answer) {
  const bool gpu = model.device.backend != Backend::cpu;
  const std::vector<LaunchRecord>& launches = answer.launches;
  const std::size_t shown = gpu ? columns.size() : columns_of_every_device;
  TableHeight height(state, launches.size());
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("kernels", static_cast<int>(shown) + (gpu ? 2 : 1), flags,
                         {0.0F, height.get()}))
    return nullptr;
  const LaunchRecord* clicked = nullptr;
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
  head("kernel", "as in its launch", false);
  for (std::size_t i = 0; i < shown; ++i) head(columns[i].title, columns[i].explanation, true);
  if (gpu) head("   occupancy", "resident warps / maximum warps per SM", false);
  for (std::size_t row = 0; row < launches.size(); ++row) {
    const LaunchRecord& record = launches[row];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(row));
    if (ui::selectable("##kernel", false, ImGuiSelectableFlags_SpanAllColumns)) clicked = &record;
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
  height.draw_edge();
  return clicked;
}

// "Scratch memory, 524 B: tiles (65 x TileState, 520 B), ticket (1 x u32, 4 B)".
std::string scratch_in_words(std::span<const Region> arrays) {
  std::uint64_t bytes = 0;
  std::string words;
  for (const Region& array : arrays) {
    bytes += array.bytes;
    words += fmt::format("{}{} ({} x {}, {})", words.empty() ? "" : ", ", array.name,
                         group_digits(array.size()), array.type.name, format_bytes(array.bytes));
  }
  return arrays.empty() ? "No scratch memory."
                        : fmt::format("Scratch memory, {}: {}", format_bytes(bytes), words);
}

}  // namespace

const LaunchRecord* draw_kernels(Model& model, PanelState& state, const lab::Answer* answer) {
  const FontScope small(state.fonts.small);
  if (answer == nullptr || answer->launches.empty()) {
    const char* why = "It launched no kernel on this device.";
    if (answer == nullptr) why = "Run it to see its kernels with their registers and occupancy.";
    if (is_library(*state.lab.variant)) why = "The vendor's library launches its own kernels.";
    const bool can_run = answer == nullptr && !is_library(*state.lab.variant);
    if (can_run) ImGui::AlignTextToFramePadding();
    coloured_text(colour::dim, why);
    if (!can_run || model.lab.busy()) return nullptr;
    ImGui::SameLine();
    ui::push_id("empty");
    const char* const run = lab_task(LabTask::results).question.button;
    if (primary_button(state, run, {ImGui::CalcTextSize(run).x + 2.0F * em(), 0.0F}))
      model.requests.add(request::RunLab{LabTask::results});
    ui::pop_id();
    return nullptr;
  }
  const LaunchRecord* const clicked = draw_table(model, state, *answer);
  if (model.device.backend == Backend::cpu)
    coloured_text(colour::dim,
                  "GPUs also report registers, shared and local bytes, and occupancy.");
  return clicked;
}

void draw_scratch(const PanelState& state, const lab::Answer* answer) {
  if (answer == nullptr || !answer->verified) return;
  const FontScope small(state.fonts.small);
  paragraph(colour::dim, scratch_in_words(answer->scratch));
}

}  // namespace warpview
