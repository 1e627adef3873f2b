#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "gpu/lab/experiment.h"

namespace warpview {
namespace {

constexpr std::array all_backends = {Backend::cuda, Backend::hip, Backend::cpu};

// Ends at the right edge of the line. Returns where it begins.
float draw_backends(const WorkspaceModel& workspace, const PanelState& state) {
  const FontScope small(state.fonts.small);
  const float gap = 0.4F * em();
  float width = -gap;
  for (const Backend backend : all_backends) width += pill_width(to_string(backend)) + gap;
  const float begin = ImGui::GetContentRegionMax().x - width;
  ImGui::SetCursorPosX(begin);
  for (const Backend backend : all_backends) {
    if (backend != all_backends.front()) ImGui::SameLine(0.0F, gap);
    const bool used = backend == workspace.device.backend;
    const std::string& absent = workspace.absent[static_cast<std::size_t>(backend)];
    const ImU32 c = used ? colour::accent : absent.empty() ? colour::dim : colour::faint;
    pill(to_string(backend), c, used);
    std::string why = absent;
    if (absent.empty())
      why = fmt::format("Works here too: start with --backend {}.", to_string(backend));
    if (used) why = "Kernels run here.";
    tooltip(state.fonts, to_string(backend), {&why, 1});
  }
  return begin;
}

// "direct" and "CUDA writes OpenGL's buffers" of "direct: CUDA writes OpenGL's buffers".
std::pair<std::string, std::string> split_interop(const std::string& interop) {
  const std::size_t colon = interop.find(": ");
  if (colon == std::string::npos) return {interop.empty() ? "-" : interop, ""};
  return {interop.substr(0, colon), interop.substr(colon + 2)};
}

void draw_device(const WorkspaceModel& workspace, const PanelState& state) {
  const DeviceInfo& device = workspace.device;
  const ImVec2 begin = ImGui::GetCursorPos();
  const float end = draw_backends(workspace, state) - em();
  ImGui::SetCursorPos(begin);
  {
    const FontScope bold(state.fonts.bold);
    elided_text(device.name.empty() ? "No device" : device.name, end - begin.x, Cut::end);
  }

  const float left = 6.0F * em();
  const float middle = 0.52F * ImGui::GetContentRegionMax().x;
  const float right = middle + 5.4F * em();
  const auto pair = [&](const char* label, const std::string& value, const char* label_2,
                        const std::string& value_2) {
    coloured_text(colour::dim, label);
    ImGui::SameLine(left);
    elided_text(value, middle - left - 0.5F * em());
    ImGui::SameLine(middle);
    coloured_text(colour::dim, label_2);
    ImGui::SameLine(right);
    elided_text(value_2, ImGui::GetContentRegionAvail().x);
  };
  const auto [interop, why] = split_interop(workspace.interop);
  const double per_second = workspace.frame_ms > 0.0 ? 1e3 / workspace.frame_ms : 0.0;
  pair("Memory", device.memory > 0 ? format_bytes(device.memory) : "-", "Warp",
       fmt::format("{} lanes", device.warp_size));
  pair("Copy", format_bandwidth(workspace.copy_gb_per_s), "Graph",
       workspace.graph ? "replayed" : "no");
  const std::array graph = {std::string(
      "A frame's kernels are captured once and replayed, where the device can time them so.")};
  tooltip(state.fonts, "", graph);
  pair("Kernels",
       workspace.frame_gpu_ms > 0.0 ? format_milliseconds(workspace.frame_gpu_ms) + " ms" : "-",
       "Frame",
       per_second > 0.0
           ? fmt::format("{} ms, {:.0f}/s", format_milliseconds(workspace.frame_ms), per_second)
           : "-");
  coloured_text(colour::dim, "Interop");
  ImGui::SameLine(left);
  coloured_text(interop == "copied" ? colour::warning : colour::text, interop);
  if (!why.empty()) {
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    elided_text(why, ImGui::GetContentRegionAvail().x, Cut::end);
    ImGui::PopStyleColor();
  }
}

// As title(), but no wider than its column.
const char* short_title(Stage stage) { return stage == Stage::scan ? "Drop (scan)" : title(stage); }

// A variant's row in the list of its combo box.
void draw_choice(WorkspaceModel& workspace, const PanelState& state, Primitive primitive, int row) {
  const Variant& variant = variants()[static_cast<std::size_t>(row)];
  const std::string why = lab::why_not_in_pipeline(row, workspace.device);
  const bool chosen = workspace.choice[primitive] == row;
  const std::string label =
      why.empty() ? std::string(variant.name) : fmt::format("{}  ({})", variant.name, why);
  if (ImGui::Selectable(label.c_str(), chosen,
                        why.empty() ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled))
    workspace.choice[primitive] = row;
  if (chosen) ImGui::SetItemDefaultFocus();
  const std::array about = {std::string(variant.summary), std::string(variant.source),
                            std::string(variant.file),
                            why.empty() ? std::string() : "Not here: it " + why + "."};
  tooltip(state.fonts, variant.name, about);
}

void draw_variants(WorkspaceModel& workspace, const PanelState& state, const StageRow& row) {
  const auto primitive = primitive_of(row.stage);
  if (!primitive || row.variants.empty()) {
    ImGui::AlignTextToFramePadding();
    coloured_text(colour::dim, row.stage == Stage::upload ? "host to device" : "-");
    return;
  }
  const Variant& variant = variants()[static_cast<std::size_t>(workspace.choice[*primitive])];
  if (begin_combo("##variant", variant.name, -1.0F)) {
    for (const int choice : row.variants) draw_choice(workspace, state, *primitive, choice);
    ImGui::EndCombo();
    return;
  }
  const std::array about = {std::string(variant.summary), std::string(variant.source),
                            std::string(variant.file)};
  tooltip(state.fonts, fmt::format("{}: {}", title(*primitive), variant.name), about);
}

void draw_history(WorkspaceModel& workspace, const PanelState& state, const StageRow& row) {
  const FontScope small(state.fonts.small);
  const float height = ImGui::GetTextLineHeight();
  if (!row.every_frame && !row.fused) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.5F * em(), 0.0F));
    ImGui::BeginDisabled(row.milliseconds.empty());
    if (ImGui::Button("Repeat")) workspace.requests.repeat = row.stage;
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
    const std::array about = {
        std::string("Runs this stage again on the same input, to time it once more.")};
    tooltip(state.fonts, "", about);
    if (row.milliseconds.size() < 2) return;
    ImGui::SameLine(0.0F, 0.4F * em());
  }
  if (row.fused) return;
  sparkline(row.milliseconds, static_cast<float>(row.median_ms),
            {ImGui::GetContentRegionAvail().x, height}, colour::accent);
}

void draw_times(const PanelState& state, const StageRow& row) {
  ImGui::AlignTextToFramePadding();
  if (row.fused) {
    text_to_right(colour::good, "in build");
    const std::array about = {
        std::string("The builder that is chosen fits the boxes in the same pass.")};
    tooltip(state.fonts, "", about);
    return;
  }
  {
    const FontScope bold(state.fonts.bold);
    text_to_right(colour::text, format_milliseconds(row.median_ms));
  }
  if (row.milliseconds.empty()) return;
  const auto [least, most] = std::minmax_element(row.milliseconds.begin(), row.milliseconds.end());
  const std::array about = {
      fmt::format("Median of the last {} runs: {} ms", row.milliseconds.size(),
                  format_milliseconds(row.median_ms)),
      fmt::format("Last {} ms, from {} to {} ms", format_milliseconds(row.last_ms),
                  format_milliseconds(double{*least}), format_milliseconds(double{*most})),
      fmt::format("Moves at least {}", format_bytes(row.bytes))};
  tooltip(state.fonts, title(row.stage), about);
  const FontScope small(state.fonts.small);
  text_to_right(colour::dim, "last " + format_milliseconds(row.last_ms));
}

ImU32 colour_of_share(double share) {
  if (share >= 0.5) return colour::good;
  return share >= 0.15 ? colour::accent : colour::warning;
}

void draw_bandwidth(const PanelState& state, const StageRow& row) {
  ImGui::AlignTextToFramePadding();
  if (row.fused || row.milliseconds.empty()) {
    text_to_right(colour::faint, "-");
    return;
  }
  ImGui::BeginGroup();
  text(format_bandwidth(row.gb_per_s));
  ImGui::SameLine(0.0F, 0.2F * em());
  text_to_right(row.launch_bound ? colour::dim : colour_of_share(row.copy_share),
                format_percent(row.copy_share));
  {
    const FontScope small(state.fonts.small);
    if (row.launch_bound) {
      coloured_text(colour::dim, "launches bound it");
    } else {
      ImGui::Dummy({0.0F, 0.05F * em()});
      bar(static_cast<float>(row.copy_share), {ImGui::GetContentRegionAvail().x, 0.45F * em()},
          colour_of_share(row.copy_share));
    }
  }
  ImGui::EndGroup();
  const std::array about = {
      fmt::format("{} moved at least, at {}", format_bytes(row.bytes),
                  format_bandwidth(row.gb_per_s)),
      row.copy_share > 0.0 ? fmt::format("{} of a device-to-device copy of as many bytes",
                                         format_percent(row.copy_share))
                           : std::string("The device's copies are not measured yet."),
      row.launch_bound ? std::string("Under 1 MB the time is that of the launches, not of the "
                                     "memory.")
                       : std::string()};
  tooltip(state.fonts, title(row.stage), about);
}

void draw_stage(WorkspaceModel& workspace, const PanelState& state, const StageRow& row) {
  ImGui::TableNextRow();
  ImGui::PushID(to_string(row.stage));
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const float indent = 0.45F * em();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + 0.15F * em()}, {at.x + 0.2F * em(), at.y + 1.25F * em()},
      colour_of_part(static_cast<std::size_t>(row.stage)), 0.1F * em());
  ImGui::Indent(indent);
  text(short_title(row.stage));
  const std::array about = {fmt::format("{} items", group_digits(row.items))};
  tooltip(state.fonts, title(row.stage), about);
  {
    const FontScope small(state.fonts.small);
    coloured_text(colour::dim, group_digits(row.items));
  }
  ImGui::Unindent(indent);
  ImGui::TableNextColumn();
  draw_variants(workspace, state, row);
  draw_history(workspace, state, row);
  ImGui::TableNextColumn();
  draw_times(state, row);
  ImGui::TableNextColumn();
  draw_bandwidth(state, row);
  ImGui::PopID();
}

void draw_header(const PanelState& state) {
  static constexpr std::array titles = {"Stage, items", "Variant", "Median, ms", "Of a copy"};
  const FontScope small(state.fonts.small);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    ImGui::TableNextColumn();
    if (i == 2)
      text_to_right(colour::dim, titles[i]);
    else
      coloured_text(colour::dim, titles[i]);
  }
}

void draw_totals(const WorkspaceModel& workspace, const PanelState& state) {
  double all = 0.0;
  double each_frame = 0.0;
  for (const StageRow& row : workspace.stages) {
    if (row.fused) continue;
    all += row.median_ms;
    if (row.every_frame) each_frame += row.median_ms;
  }
  const auto total = [&state](const char* label, double ms) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const FontScope bold(state.fonts.bold);
    text(label);
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    text_to_right(colour::text, format_milliseconds(ms));
    ImGui::TableNextColumn();
  };
  total("All stages", all);
  if (each_frame > 0.0) total("Each frame", each_frame);
}

// Every stage's part of the time: of a frame's if something runs in each frame, else of all
// stages'.
void draw_shares(const WorkspaceModel& workspace, const PanelState& state) {
  const bool animated = std::any_of(workspace.stages.begin(), workspace.stages.end(),
                                    [](const StageRow& row) { return row.every_frame; });
  const auto counts = [animated](const StageRow& row) {
    return !row.fused && (row.every_frame || !animated) && row.median_ms > 0.0;
  };
  double total = 0.0;
  for (const StageRow& row : workspace.stages)
    if (counts(row)) total += row.median_ms;
  if (!(total > 0.0)) return;

  section(state.fonts, animated ? "Where a frame's time goes" : "Where the time goes");
  const FontScope small(state.fonts.small);
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = 1.5F * em();
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  for (const StageRow& row : workspace.stages) {
    if (!counts(row)) continue;
    const auto part = static_cast<float>(row.median_ms / total) * width;
    const ImVec2 corner{at.x + part, at.y + height};
    list->AddRectFilled(at, {std::max(corner.x - 1.0F, at.x + 1.0F), corner.y},
                        colour_of_part(static_cast<std::size_t>(row.stage)));
    const char* const name = short_title(row.stage);
    const ImVec2 size = ImGui::CalcTextSize(name);
    if (size.x + 0.8F * em() < part)
      list->AddText({at.x + 0.4F * em(), at.y + 0.5F * (height - size.y)},
                    IM_COL32(16, 20, 26, 255), name);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, corner))
      ImGui::SetTooltip("%s: %s ms, %s", title(row.stage),
                        format_milliseconds(row.median_ms).c_str(),
                        format_percent(row.median_ms / total).c_str());
    at.x = corner.x;
  }
  ImGui::Dummy({width, height});
}

// The one file that holds each variant chosen, if there is room left for the list.
void draw_files(const WorkspaceModel& workspace, const PanelState& state) {
  const FontScope small(state.fonts.small);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  if (ImGui::GetContentRegionAvail().y <
      static_cast<float>(pipeline_primitive_count + 2) * line + em())
    return;
  section(state.fonts, "Where to read them");
  for (const StageRow& row : workspace.stages) {
    const auto primitive = primitive_of(row.stage);
    if (!primitive) continue;
    const Variant& variant = variants()[static_cast<std::size_t>(workspace.choice[*primitive])];
    coloured_text(colour::dim, short_title(row.stage));
    ImGui::SameLine(9.0F * em());
    text(variant.file);
    const std::array about = {std::string(variant.summary), std::string(variant.source)};
    tooltip(state.fonts, variant.name, about);
  }
}

}  // namespace

void draw_timings_panel(WorkspaceModel& workspace, const PanelState& state) {
  draw_device(workspace, state);
  ImGui::Dummy({0.0F, 0.3F * em()});
  if (workspace.stages.empty()) {
    ImGui::Separator();
    coloured_text(colour::dim, "The stages' times appear when a scene is open.");
    return;
  }
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("stages", 4, flags)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthFixed, 7.1F * em());
  ImGui::TableSetupColumn("variant", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, 4.6F * em());
  ImGui::TableSetupColumn("bandwidth", ImGuiTableColumnFlags_WidthFixed, 8.1F * em());
  draw_header(state);
  for (const StageRow& row : workspace.stages) draw_stage(workspace, state, row);
  draw_totals(workspace, state);
  ImGui::EndTable();
  draw_shares(workspace, state);
  draw_files(workspace, state);
}

}  // namespace warpview
