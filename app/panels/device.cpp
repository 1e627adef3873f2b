// The device, and the backends that there are.
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

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
  if (model.moves() && frame.whole_ms > 0.0)
    return {
        "Frame",
        fmt::format("{} ms, {}", format_milliseconds(frame.whole_ms), format_rate(frame.whole_ms)),
        "Wall-clock time from the end of one frame to the end of the next, average of the last "
        "frames. The bar below is its breakdown."};
  if (model.moves() && model.picture_ms > 0.0)
    return {"Frame",
            fmt::format("{} ms, {}", format_milliseconds(model.picture_ms),
                        format_rate(model.picture_ms)),
            "Wall-clock time from picture to picture."};
  return {"Picture", model.draw_ms > 0.0 ? format_milliseconds(model.draw_ms) + " ms" : "-",
          "OpenGL's time for the last picture, which does not change."};
}

}  // namespace

void draw_device(Model& model, PanelState& state) {
  const DeviceInfo& device = model.device;
  const ImVec2 begin = ImGui::GetCursorPos();
  const float end = draw_backends(model, state) - em();
  ImGui::SetCursorPos(begin);
  {
    const FontScope bold(state.fonts.bold);
    elided_text(device.name.empty() ? "No device" : device.name, end - begin.x, Cut::end);
  }

  const float left = 6.0F * em();
  const float middle = 0.52F * ImGui::GetContentRegionMax().x;
  const float right = middle + 5.4F * em();
  // Each half of a line says what it is under the mouse.
  const auto show = [&](const Property& p, float label_at, float value_at, float end_at) {
    if (label_at > 0.0F) ImGui::SameLine(label_at);
    coloured_text(colour::dim, p.label);
    tooltip(state.fonts, p.label, {&p.about, 1});
    ImGui::SameLine(value_at);
    elided_text(p.value, end_at - value_at);
    tooltip(state.fonts, p.label, {&p.about, 1});
  };
  const auto pair = [&](const Property& first, const Property& second) {
    show(first, 0.0F, left, middle - 0.5F * em());
    show(second, middle, right, ImGui::GetContentRegionMax().x);
  };
  const auto [interop, why] = split_interop(model.interop);
  pair({"Memory", device.memory > 0 ? format_bytes(device.memory) : "-",
        "Total memory of the device, including what other programs use."},
       {"Warp", fmt::format("{} lanes", device.warp_size), "Lanes per warp."});
  pair({"Copy", format_bandwidth(model.results->copy_gb_per_s),
        "Bandwidth of a large device-to-device memcpy, bytes read plus bytes written: the "
        "reference for the stages."},
       {"Graph", model.results->graph ? "replayed" : "no",
        "A frame's kernels are captured once and replayed as a graph, if the device can time them "
        "in it."});
  pair({"Kernels",
        model.results->kernels_ms > 0.0 ? format_milliseconds(model.results->kernels_ms) + " ms"
                                        : "-",
        "Device time of the last frame, between two device events: the stages and the gaps between "
        "them. Host time is extra, see Frame."},
       frame_property(model));
  if (is_emulated(model)) {
    const FontScope small(state.fonts.small);
    paragraph(colour::dim, "The CPU emulates the GPU's kernels: compare counts, not speed.");
    ImGui::PushStyleColor(ImGuiCol_Text, colour::accent);
    const bool counts = link("Count memory accesses", ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
    const std::array about = {std::string(
        "Opens the tab Counters, which counts the memory accesses of each variant on the CPU.")};
    tooltip(state.fonts, "", about);
    if (counts)
      open_laboratory(model, state, model.lab.question.primitive, state.lab.variant,
                      LabTask::counters);
  }
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

}  // namespace warpview
