// The top of the Timings panel: the device, the backends that there are, and the one number that
// counts over its breakdown.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// Ends at the right edge of the line. Returns where it begins.
float draw_backends(Model& model, const PanelState& state) {
  const FontScope small(state.fonts.small);
  const float gap = 0.4F * em();
  float width = -gap;
  for (const Backend backend : all_backends) width += pill_width(to_string(backend)) + gap;
  const float begin = ImGui::GetContentRegionMax().x - width;
  ImGui::SetCursorPosX(begin);
  for (const Backend backend : all_backends) {
    if (backend != all_backends.front()) ImGui::SameLine(0.0F, gap);
    const bool used = backend == model.device.backend;
    const std::string& absent = model.absent[static_cast<std::size_t>(backend)];
    const ImU32 c = used ? colour::accent : absent.empty() ? colour::dim : colour::faint;
    pill(to_string(backend), c, used);
    if (model.can_switch_to(backend) && ImGui::IsItemClicked())
      model.requests.add(request::SwitchBackend{backend});
    std::string why = absent;
    if (absent.empty()) why = "Available. Click to reopen the scene there.";
    if (used) why = "Kernels run here.";
    if (model.switching_to == backend) why = "Opening.";
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

struct Property {
  const char* label;
  std::string value, about;
};

// How long what is seen takes: a frame of what moves, else its picture.
Property frame_property(const Model& model) {
  const TimeParts& frame = model.results->frame_parts;
  if (has_frame_times(model))
    return {"Frame", format_milliseconds(frame.whole_ms) + " ms",
            "Wall-clock time from the end of one frame to the end of the next, average of the last "
            "frames. The bar below is its breakdown."};
  if (model.moves() && model.picture_ms > 0.0)
    return {"Frame", format_milliseconds(model.picture_ms) + " ms",
            "Wall-clock time from picture to picture."};
  return {"Picture", model.draw_ms > 0.0 ? format_milliseconds(model.draw_ms) + " ms" : "-",
          "OpenGL's time for the last picture, which does not change."};
}

// The frames are the same as those of the number above it.
Property kernels_property(const Model& model) {
  const bool moves = has_frame_times(model);
  const double ms = moves ? model.results->frame_parts.on_device_ms() : model.results->kernels_ms;
  return {"Kernels", ms > 0.0 ? format_milliseconds(ms) + " ms" : "-",
          std::string(moves ? "Device time of the last frames, the same as above, on average"
                            : "Device time of the last frame") +
              ": the stages and the gaps between them. Host time is extra."};
}

void draw_name(const Model& model, const PanelState& state, float width) {
  const DeviceInfo& device = model.device;
  {
    const FontScope bold(state.fonts.bold);
    elided_text(device.name.empty() ? "No device" : device.name, width, Cut::end);
  }
  const auto [interop, why] = split_interop(model.interop);
  const std::array about = {
      fmt::format("Memory: {}. Total memory of the device, including what other programs use.",
                  device.memory > 0 ? format_bytes(device.memory) : "-"),
      fmt::format("Warp: {} lanes.", device.warp_size),
      fmt::format("Copy: {}. Bandwidth of a large device-to-device memcpy, bytes read plus bytes "
                  "written: the reference for the stages.",
                  format_bandwidth(model.results->copy_gb_per_s)),
      fmt::format("Graph: {}. A frame's kernels are captured once and replayed as a graph, if the "
                  "device can time them in it.",
                  model.results->graph ? "replayed" : "no"),
      fmt::format("Interop: {}{}{}.", interop, why.empty() ? "" : ", ", why)};
  tooltip(state.fonts, device.name, about);
}

// What the number of a scene that stands still is a sum of: first runs are slower, and say so.
std::string stages_in_words(const Model& model) {
  std::uint64_t cold = 0;
  for (const StageRow& row : model.stages)
    if (row.has_run && row.result->is_cold()) ++cold;
  return cold == 0 ? "all stages, once each"
                   : fmt::format("all stages, once each; {} cold", group_digits(cold));
}

// The number in large letters, and what it is beside it.
void draw_number(const Model& model, const PanelState& state) {
  const TimeParts& frame = model.results->frame_parts;
  const bool moves = has_frame_times(model);
  const double ms = moves ? frame.whole_ms : sum_of_stages(model);
  ImGui::BeginGroup();
  const float top = ImGui::GetCursorScreenPos().y;
  float ascent = 0.0F;
  {
    const FontScope large(state.fonts.large);
    text(ms > 0.0 ? format_milliseconds(ms) + " ms" : "-");
    ascent = ImGui::GetFont()->Ascent * ImGui::GetFontSize() / ImGui::GetFont()->FontSize;
  }
  ImGui::SameLine(0.0F, 0.6F * em());
  const float lower =
      ascent - ImGui::GetFont()->Ascent * ImGui::GetFontSize() / ImGui::GetFont()->FontSize;
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, top + lower});  // on one baseline
  coloured_text(colour::dim, moves ? "per frame, " + format_rate(ms) : stages_in_words(model));
  ImGui::EndGroup();
  std::vector<std::string> about;
  if (moves) about = breakdown_in_words(frame);
  about.insert(about.begin(), moves ? frame_property(model).about
                                    : "The sum of the stages' medians. Nothing is animated: each "
                                      "ran for what was opened or set.");
  tooltip(state.fonts, moves ? "Frame" : "All stages", about);
}

// "Kernels 1.25 ms", each with what it is.
void draw_property(const PanelState& state, const Property& property) {
  ImGui::BeginGroup();
  coloured_text(colour::dim, property.label);
  ImGui::SameLine(0.0F, 0.4F * em());
  text(property.value);
  ImGui::EndGroup();
  tooltip(state.fonts, property.label, {&property.about, 1});
}

void draw_emulation(Model& model, PanelState& state) {
  coloured_text(colour::dim, "Emulated kernels: compare counts, not speed.");
  const char* const words = "Count memory accesses";
  const float width = ImGui::CalcTextSize(words).x + 1.0F;
  beside_if_it_fits(width, 0.8F * em());
  ImGui::PushStyleColor(ImGuiCol_Text, colour::accent);
  const bool counts = link(words, std::min(width, ImGui::GetContentRegionAvail().x));
  ImGui::PopStyleColor();
  const std::array about = {std::string(
      "Opens the tab Counters, which counts the memory accesses of each variant on the CPU.")};
  tooltip(state.fonts, "", about);
  if (counts)
    open_laboratory(model, state, model.lab.question.primitive, state.lab.variant,
                    LabTask::counters);
}

}  // namespace

bool has_frame_times(const Model& model) {
  return model.moves() && model.results->frame_parts.whole_ms > 0.0;
}

double sum_of_stages(const Model& model, std::optional<bool> every_frame) {
  double sum = 0.0;
  for (const StageRow& row : model.stages)
    if (row.has_run && row.result->done_by.empty() &&
        (!every_frame || *every_frame == row.every_frame))
      sum += row.result->median_ms;
  return sum;
}

void draw_headline(Model& model, PanelState& state) {
  const ImVec2 begin = ImGui::GetCursorPos();
  const float end = draw_backends(model, state) - em();
  ImGui::SetCursorPos(begin);
  draw_name(model, state, end - begin.x);
  if (model.scene_name.empty()) return;  // there is nothing to time
  draw_number(model, state);
  if (!model.pinned && !model.stages.empty()) {
    ImGui::SameLine();
    draw_pin(model, state);
  }
  draw_time_bar(model, state);
  if (model.pinned) draw_pin(model, state);
  const FontScope small(state.fonts.small);
  draw_property(state, kernels_property(model));
  if (!has_frame_times(model)) {
    ImGui::SameLine(0.0F, 1.2F * em());
    draw_property(state, frame_property(model));
  }
  if (split_interop(model.interop).first == "copied") {
    ImGui::SameLine(0.0F, 1.2F * em());
    coloured_text(colour::warning, "copied to OpenGL");
    const std::string about = split_interop(model.interop).second;
    tooltip(state.fonts, "Interop", {&about, 1});
  }
  if (is_emulated(model)) draw_emulation(model, state);
}

}  // namespace warpview
