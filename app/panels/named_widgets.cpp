#include "app/panels/named_widgets.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/common/digits.h"
#include "app/panels/letters.h"
#include "app/panels/style.h"
#include "app/panels/widget_focus.h"
#include "app/panels/widget_records.h"

namespace warpview::ui {
namespace {

// Where on a slider its value is, 0 to 1.
float place_on_slider(double value, double least, double most, bool logarithmic) {
  if (logarithmic && least > 0.0) {
    value = std::log(value);
    least = std::log(least);
    most = std::log(most);
  }
  return static_cast<float>(std::clamp((value - least) / (most - least), 0.0, 1.0));
}

// ImGui's own grab is not seen: it would cover the value.
class HiddenGrab {
 public:
  HiddenGrab() {
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, IM_COL32_BLACK_TRANS);
  }
  ~HiddenGrab() { ImGui::PopStyleColor(2); }
  HiddenGrab(const HiddenGrab&) = delete;
  HiddenGrab& operator=(const HiddenGrab&) = delete;
};

// Has ImGui's own value unseen where its digits are grouped, which ImGui's formats cannot do, and
// draws it instead. While a value is typed, ImGui shows what is typed.
class GroupedValue {
 public:
  GroupedValue(const char* label, const std::string& plain)
      : words_(with_groups(plain)),
        is_drawn_(words_ != plain && !ImGui::TempInputIsActive(ImGui::GetID(label))) {
    if (!is_drawn_) return;
    colour_ = ImGui::GetColorU32(ImGuiCol_Text);
    ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
  }
  ~GroupedValue() {
    if (is_drawn_) ImGui::PopStyleColor();
  }
  GroupedValue(const GroupedValue&) = delete;
  GroupedValue& operator=(const GroupedValue&) = delete;

  const std::string& words() const { return words_; }
  // Over the slider that was drawn last.
  void draw() const {
    if (!is_drawn_) return;
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    const ImVec2 size = ImGui::CalcTextSize(words_.c_str());
    ImGui::GetWindowDrawList()->AddText(
        {std::round(0.5F * (from.x + to.x - size.x)), std::round(0.5F * (from.y + to.y - size.y))},
        colour_, words_.c_str());
  }

 private:
  std::string words_;
  bool is_drawn_;
  ImU32 colour_ = 0;
};

// As ImGui writes it.
template <class Value>
std::string formatted(const char* format, Value value) {
  std::array<char, 64> words{};
  ImFormatString(words.data(), words.size(), format, value);
  return words.data();
}

// A line below what is chosen of the slider that was drawn last, and a knob at its end.
void underline(float share) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();  // it has no label beside it
  const float inset = ImGui::GetStyle().FrameRounding;
  const float right = from.x + inset + share * (to.x - from.x - 2.0F * inset);
  const float thick = std::max(std::round(0.12F * ImGui::GetFontSize()), 1.0F);
  const ImU32 c = is_disabled() ? colour::faint : colour::accent;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({from.x + inset, to.y - thick}, {right, to.y}, c);
  // Half of it hangs below: it leaves the digits alone.
  list.AddCircleFilled({right, to.y}, (ImGui::IsItemActive() ? 2.2F : 1.8F) * thick, c);
}

}  // namespace

bool button(const char* label, ImVec2 size) {
  const bool pressed = ImGui::Button(label, size);
  write_last("button", label);
  return pressed;
}

bool small_button(const char* label) {
  const bool pressed = ImGui::SmallButton(label);
  write_last("button", label);
  return pressed;
}

bool checkbox(const char* label, bool* on) {
  // An edge, as the empty box is hardly brighter than what it stands on.
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0F);
  ImGui::PushStyleColor(ImGuiCol_Border, colour::faint);
  const bool changed = ImGui::Checkbox(label, on);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  write_last("checkbox", label, {.on = *on});
  return changed;
}

bool selectable(const char* label, bool chosen, ImGuiSelectableFlags flags, ImVec2 size,
                const std::string& name) {
  const bool pressed = ImGui::Selectable(label, chosen, flags, size);
  meet_with_item(label);
  write_last("choice", name.empty() ? std::string_view(label) : name, {.on = chosen});
  return pressed;
}

bool menu_item(const char* label, const char* keys, bool chosen, bool enabled) {
  const bool pressed = ImGui::MenuItem(label, keys, chosen, enabled);
  meet_with_item(label);
  if (keys != nullptr) meet_with_item(keys);
  write_last("choice", label, {.on = chosen});
  return pressed;
}

bool begin_menu(const char* label, bool enabled) {
  const ImVec2 size{ImGui::CalcTextSize(label, nullptr, true).x, ImGui::GetTextLineHeight()};
  const std::size_t index = write_opener("menu", label, size, enabled);
  const bool open = ImGui::BeginMenu(label, enabled);
  note_opened(index, open);
  return open;
}

bool begin_tab(const char* label, ImGuiTabItemFlags flags) {
  const bool open = ImGui::BeginTabItem(label, nullptr, flags);
  write_last("tab", label, {.on = open});
  return open;
}

bool begin_combo(const char* label, const char* preview, ImGuiComboFlags flags) {
  const ImVec2 size{ImGui::CalcItemWidth(), ImGui::GetFrameHeight()};
  const std::size_t index = write_opener("combo", label, size, true, {.text = preview});
  const bool open = ImGui::BeginCombo(label, preview, flags);
  if (!open) add_stop_of("combo");
  note_opened(index, open);
  return open;
}

bool invisible_button(const char* label, ImVec2 size, const char* kind) {
  const bool pressed = ImGui::InvisibleButton(label, size);
  write_last(kind, label);
  return pressed;
}

bool text_field(const char* label, std::string* text, ImGuiInputTextFlags flags, const char* hint) {
  const bool changed = ImGui::InputTextWithHint(label, hint, text, flags);
  meet_with_item(*text);
  write_last("field", label, {.on = ImGui::IsItemActive(), .text = *text});
  return changed;
}

bool slider(const char* label, double* value, double least, double most, const char* format,
            ImGuiSliderFlags flags) {
  const bool fixed = !(most > least);
  double shown = std::clamp(*value, least, std::max(least, most));
  ImGui::BeginDisabled(fixed);
  hold_by_arrows(label);
  std::string words;
  const bool changed = [&] {
    const HiddenGrab hidden;
    const GroupedValue grouped(label, formatted(format, shown));
    const bool moved =
        ImGui::SliderScalar(label, ImGuiDataType_Double, &shown, &least, &most, format, flags);
    grouped.draw();
    words = grouped.words();
    return moved;
  }();
  write_last("slider", label, {.value = shown, .text = words});
  if (!fixed)
    underline(place_on_slider(shown, least, most, (flags & ImGuiSliderFlags_Logarithmic) != 0));
  ImGui::EndDisabled();
  if (changed) *value = shown;
  return changed;
}

bool slider(const char* label, int* value, int least, int most, const char* format) {
  hold_by_arrows(label);
  std::string words;
  const bool changed = [&] {
    const HiddenGrab hidden;
    const GroupedValue grouped(label, formatted(format, *value));
    const bool moved =
        ImGui::SliderInt(label, value, least, most, format, ImGuiSliderFlags_AlwaysClamp);
    grouped.draw();
    words = grouped.words();
    return moved;
  }();
  write_last("slider", label, {.value = static_cast<double>(*value), .text = words});
  if (most > least) underline(place_on_slider(*value, least, most, false));
  return changed;
}

bool fold(const char* label, float width, bool open_at_first) {
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID(label);
  const float height = ImGui::GetFrameHeight();
  if (ImGui::InvisibleButton(label, {width, height}))
    storage.SetBool(id, !storage.GetBool(id, open_at_first));
  const bool open = storage.GetBool(id, open_at_first);
  write_last("fold", label, {.on = open});
  const ImVec2 at = ImGui::GetItemRectMin();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(
      at, ImGui::GetItemRectMax(),
      ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_HeaderHovered : ImGuiCol_Header),
      ImGui::GetStyle().FrameRounding);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::RenderArrow(&list, {at.x + padding.x, at.y + padding.y}, ImGui::GetColorU32(ImGuiCol_Text),
                     open ? ImGuiDir_Down : ImGuiDir_Right);
  list.AddText({at.x + padding.x + 1.4F * ImGui::GetFontSize(), at.y + padding.y},
               ImGui::GetColorU32(ImGuiCol_Text), label);
  return open;
}

bool track(const char* label, std::size_t* value, std::size_t most, ImVec2 size) {
  const std::size_t before = *value;
  ImGui::InvisibleButton(label, size);
  const float from = ImGui::GetItemRectMin().x;
  const float width = std::max(ImGui::GetItemRectSize().x, 1.0F);
  if (ImGui::IsItemActive()) {
    const float part = std::clamp((ImGui::GetMousePos().x - from) / width, 0.0F, 1.0F);
    *value = static_cast<std::size_t>(std::lround(part * static_cast<float>(most)));
  }
  constexpr int far = 10;
  const int way = arrow_of_last(true) * (ImGui::GetIO().KeyShift ? far : 1);
  if (way != 0)
    *value = static_cast<std::size_t>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(*value) + way, 0, static_cast<std::int64_t>(most)));
  ring_last();
  write_last("slider", label, {.value = static_cast<double>(*value)});
  return *value != before;
}

bool tab_button(const char* label, bool open, ImVec2 size) {
  const bool pressed = ImGui::InvisibleButton(label, size);
  ring_last();
  write_last("tab", label, {.on = open});
  return pressed;
}

Splitter splitter(const char* label, ImVec2 size, bool sideways, double value) {
  ImGui::InvisibleButton(label, size);
  write_last("splitter", label, {.value = value});
  Splitter bar{.held = ImGui::IsItemActive(), .hovered = ImGui::IsItemHovered()};
  if (bar.held || bar.hovered)
    ImGui::SetMouseCursor(sideways ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  bar.let_go = ImGui::IsItemDeactivated();
  const float step = (ImGui::GetIO().KeyShift ? 10.0F : 1.0F) * ImGui::GetFontSize();
  if (const int way = arrow_of_last(sideways); way != 0) {
    const ImVec2 edge = ImGui::GetItemRectMin();
    bar.dragged_to = (sideways ? edge.x : edge.y) + static_cast<float>(way) * step;
    bar.let_go = true;
    return bar;
  }
  if (bar.held && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    bar.double_clicked = true;
    ImGui::ClearActiveID();  // or it would follow the mouse back at once
  } else if (bar.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImVec2 mouse = context.IO.MousePos;
    bar.dragged_to = sideways ? mouse.x - context.ActiveIdClickOffset.x
                              : mouse.y - context.ActiveIdClickOffset.y;
  }
  return bar;
}

}  // namespace warpview::ui
