// Where a frame's time goes: bars of parts that add up to what passed on the clock.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/kind_colours.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

// The host's parts are grey, so that the device's stand out beside them.
ImU32 colour_of_host_part(std::size_t part) {
  return part % 2 == 0 ? colour::host : colour::host_too;
}

bool is_device(const TimePart& part) { return part.place == TimePart::Place::device; }

// Text over a segment, where it has room.
void label_segment(const std::string& title, ImVec2 at, ImVec2 size, ImU32 c) {
  const ImVec2 text = ImGui::CalcTextSize(title.c_str());
  if (text.x + 0.8F * em() < size.x)
    ImGui::GetWindowDrawList()->AddText({at.x + 0.4F * em(), at.y + 0.5F * (size.y - text.y)}, c,
                                        title.c_str());
}

ImU32 part_colour(const Model& model, const TimePart& part, std::size_t host_part) {
  if (!is_device(part)) return colour_of_host_part(host_part);
  const auto stage = static_cast<std::size_t>(part.order);
  return stage < model.stages.size() ? colour_of_stage(*model.stages[stage].result)
                                     : colour_of_kind({});
}

// Segments as long as their share of the sum, over the width that is left.
void draw_segments(const Model& model, const PanelState& state, const TimeParts& whole) {
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 1.25F * em()};
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const double sum = whole.sum_ms();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(begin, {begin.x + size.x, begin.y + size.y}, colour::track);
  double until = 0.0;
  std::size_t host_parts = 0;
  for (const TimePart& part : whole.parts) {
    const ImU32 c = part_colour(model, part, is_device(part) ? 0 : host_parts++);
    const float left = begin.x + static_cast<float>(until / sum) * size.x;
    until += part.ms;
    const float right = begin.x + static_cast<float>(until / sum) * size.x;
    if (!(right - left >= 0.5F)) continue;  // nothing to see or to point at
    list->AddRectFilled({left, begin.y}, {std::max(right - 1.0F, left + 0.5F), begin.y + size.y},
                        c);
    label_segment(part.title, {left, begin.y}, {right - left, size.y}, text_on(c));
    ImGui::SetCursorScreenPos({left, begin.y});
    ImGui::PushID(part.order);
    ImGui::InvisibleButton("part", {std::max(right - left, 1.0F), size.y});
    ImGui::PopID();
    const std::array about = {
        fmt::format("{} ms, {} of {} ms, on the {}", format_milliseconds(part.ms),
                    format_percent(part.ms / sum), format_milliseconds(whole.whole_ms),
                    is_device(part) ? "device" : "host"),
        part.about};
    tooltip(state.fonts, part.title, about);
  }
  ImGui::SetCursorScreenPos(begin);
  ImGui::Dummy(size);
}

bool has_parts(const TimeParts& whole) {
  const double sum = whole.sum_ms();
  return sum > 0.0 && sum < 1e12;
}

// A bar of its parts.
void draw_bar(const Model& model, const PanelState& state, const char* name,
              const TimeParts& whole) {
  if (!has_parts(whole)) return;
  ImGui::PushID(name);
  const FontScope small(state.fonts.small);
  draw_segments(model, state, whole);
  ImGui::PopID();
}

// The stages' medians, of a scene that has run once and is not animated.
TimeParts stages_of(const Model& model) {
  TimeParts whole;
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    const StageResult& result = *model.stages[i].result;
    if (!result.done_by.empty() || !(result.median_ms > 0.0)) continue;
    whole.parts.push_back({.order = static_cast<int>(i),
                           .title = result.title,
                           .about = "The median of its runs, between two device events.",
                           .place = TimePart::Place::device,
                           .ms = result.median_ms});
  }
  whole.whole_ms = whole.sum_ms();
  return whole;
}

}  // namespace

void draw_time_bar(const Model& model, const PanelState& state) {
  if (has_frame_times(model)) {
    draw_bar(model, state, "Frame", model.results->frame_parts);
    const FontScope small(state.fonts.small);
    draw_frame_difference(model, state);
  } else {
    draw_bar(model, state, "Stages", stages_of(model));
  }
}

std::vector<std::string> breakdown_in_words(const TimeParts& whole) {
  const double on_device = whole.on_device_ms();
  std::vector<std::string> words;
  if (on_device > 0.0)
    words.push_back(fmt::format(
        "On the device {} ms, on the host {} ms: together {} ms.", format_milliseconds(on_device),
        format_milliseconds(whole.sum_ms() - on_device), format_milliseconds(whole.sum_ms())));
  const std::vector<double> times(whole.last_wholes.begin(), whole.last_wholes.end());
  if (!times.empty()) words.push_back(statistics_in_words(times));
  return words;
}

void draw_window_bar(const Model& model, const PanelState& state) {
  const TimeParts& whole = model.window_parts;
  if (!has_parts(whole)) return;
  ImGui::BeginGroup();
  section(state.fonts, fmt::format("Window, {} ms", format_milliseconds(whole.whole_ms)).c_str());
  ImGui::EndGroup();
  std::vector<std::string> about = breakdown_in_words(whole);
  about.insert(about.begin(),
               "One iteration of the window's loop, concurrent with the frames: its panels, the "
               "last finished picture, and the display.");
  tooltip(state.fonts, "Window", about);
  draw_bar(model, state, "Window", whole);
}

}  // namespace warpview
