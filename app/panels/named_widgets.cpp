#include "app/panels/named_widgets.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "app/panels/letters.h"
#include "app/panels/style.h"

namespace warpview::ui {
namespace {

std::vector<WidgetRecord>* the_log = nullptr;
std::vector<FocusStop>* the_stops = nullptr;
bool the_ring = false;
bool the_next_has_focus = false;
ImGuiID the_held_slider = 0;        // by the arrows
std::vector<std::string> the_path;  // push_id()s, while widgets are noted
struct Sought {
  std::string window{}, name{};  // no name: nothing is looked for
  std::optional<WidgetRecord> found{};
  ImGuiID id = 0;  // of it, where it is an item of ImGui's
};
Sought the_sought;
std::string the_about;        // of the AboutScope
ImGuiID the_last_widget = 0;  // whose record is the log's last; 0: another item's is

bool notes() { return the_log != nullptr || !the_sought.name.empty(); }

// "Mesh" of "Mesh##1", "value" of "##value".
std::string_view name_in(std::string_view label) {
  const std::size_t at = label.find("##");
  if (at == std::string_view::npos) return label;
  if (at > 0) return label.substr(0, at);
  return label.substr(label.find_first_not_of('#'));
}

std::string path_to(std::string_view label) {
  std::string path;
  for (const std::string& part : the_path) path += part + "/";
  path += name_in(label);
  return path;
}

// What the record has besides its place.
struct State {
  std::optional<bool> on{};
  std::optional<double> value{};
  std::optional<std::string> text{};
};

// Submenus are windows of their own; other windows within windows are parts of them.
bool is_part(const ImGuiWindow* window) {
  return (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 &&
         (window->Flags & ImGuiWindowFlags_ChildMenu) == 0;
}

// Keeps what is looked for, and scrolls to it where it is cut off.
void note_if_sought(const WidgetRecord& widget, const ImRect& whole, ImGuiID id) {
  if (the_sought.name.empty() || widget.name != the_sought.name ||
      widget.window != the_sought.window)
    return;
  the_sought.found = widget;
  the_sought.id = id;
  constexpr float rounding = 1.0F;
  const bool is_cut = widget.to.y - widget.from.y < whole.GetHeight() - rounding;
  if (is_cut)
    ImGui::ScrollToRectEx(ImGui::GetCurrentWindow(), whole, ImGuiScrollFlags_AlwaysCenterY);
}

// `id`: the item's; 0: it has none.
void write(const char* kind, std::string_view label, ImRect place, bool enabled, State state,
           ImGuiID id = 0) {
  const ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  const ImRect whole = place;
  place.ClipWith(window->ClipRect);
  while (is_part(window) && window->ParentWindow != nullptr) window = window->ParentWindow;
  WidgetRecord widget{.kind = kind,
                      .window = window->Name,
                      .name = path_to(label),
                      .from = place.Min,
                      .to = place.Max,
                      .visible = place.GetWidth() > 0.0F && place.GetHeight() > 0.0F,
                      .enabled = enabled,
                      .on = state.on,
                      .value = state.value,
                      .text = std::move(state.text),
                      .about = the_about};
  note_if_sought(widget, whole, id);
  the_last_widget = id;
  if (the_log != nullptr) the_log->push_back(std::move(widget));
}

bool is_disabled() {
  return (ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled) != 0;
}

ImGuiKey sideways_key(int direction) {
  return direction < 0 ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow;
}

bool has_ring(ImGuiID id) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return the_ring && g.NavId == id && !g.NavDisableHighlight;
}

// Marks the widget drawn last if it has the keyboard's focus: where ImGui does not, or faintly.
void ring_last() {
  const ImGuiLastItemData& item = ImGui::GetCurrentContext()->LastItemData;
  if (!has_ring(item.ID)) return;
  constexpr float thick = 2.0F;
  ImRect ring = item.NavRect;
  ring.ClipWith(ImGui::GetCurrentWindowRead()->ClipRect);
  ring.Expand(1.0F);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(ring.Min, ring.Max);
  ring.Expand(-0.5F * thick);
  list.AddRect(ring.Min, ring.Max, colour::accent, ImGui::GetStyle().FrameRounding, 0, thick);
  list.PopClipRect();
}

bool is_one_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

void add_stop_of(std::string_view kind) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* const window = ImGui::GetCurrentWindowRead();
  const ImGuiLastItemData& item = g.LastItemData;
  if (window->SkipItems || item.ID == 0) return;  // it was not drawn
  const FocusStop stop{.id = item.ID,
                       .window = window,
                       .from = item.NavRect.Min,
                       .to = item.NavRect.Max,
                       .enabled = (item.InFlags & ImGuiItemFlags_Disabled) == 0,
                       .is_field = kind == "field",
                       .is_splitter = kind == "splitter"};
  if (the_stops != nullptr && window->DC.NavLayerCurrent == ImGuiNavLayer_Main)
    the_stops->push_back(stop);
  if (std::exchange(the_next_has_focus, false) && stop.enabled) focus(stop);
  if (is_one_of(kind, {"choice", "link", "fold", "splitter"})) ring_last();
}

// An arrow that goes down now, or is held, where the widget drawn last has the keyboard's focus: -1
// or 1; 0: none. It then moves nothing else.
int arrow_of_last(bool sideways) {
  if (!has_ring(ImGui::GetItemID()) || is_disabled()) return 0;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int direction = (pressed(sideways ? ImGuiKey_RightArrow : ImGuiKey_DownArrow) ? 1 : 0) -
                        (pressed(sideways ? ImGuiKey_LeftArrow : ImGuiKey_UpArrow) ? 1 : 0);
  if (direction != 0) ImGui::NavMoveRequestCancel();
  return direction;
}

// Lets Left and Right move the slider of that name, if it has the keyboard's focus, as ImGui does
// after Space: it is active while one of them is down.
void hold_by_arrows(const char* label) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID id = ImGui::GetID(label);
  const auto key = [](int direction) { return ImGui::GetKeyIndex(sideways_key(direction)); };
  const bool is_held = ImGui::IsKeyDown(key(-1)) || ImGui::IsKeyDown(key(1));
  if (the_held_slider == id) {
    const bool is_active = g.ActiveId == id;
    if (is_active && is_held && the_ring) return;
    the_held_slider = 0;
    if (is_active) return ImGui::ClearActiveID();
  }
  if (!has_ring(id) || is_disabled() || g.ActiveId != 0) return;
  if (!ImGui::IsKeyPressed(key(-1), false) && !ImGui::IsKeyPressed(key(1), false)) return;
  the_held_slider = id;
  g.NavActivateId = id;
  ImGui::NavMoveRequestCancel();
}

// The widget that was drawn last.
void write_last(const char* kind, std::string_view label, State state = {}) {
  add_stop_of(kind);
  if (!notes()) return;
  const ImGuiLastItemData& item = ImGui::GetCurrentContext()->LastItemData;
  const bool enabled = (item.InFlags & ImGuiItemFlags_Disabled) == 0;
  write(kind, label, item.Rect, enabled, std::move(state), item.ID);
  if (the_log == nullptr) return;
  the_log->back().hovered = ImGui::IsItemHovered();
  the_log->back().focused = has_ring(item.ID);
}

// A menu or list before it begins, as it changes the current window. Returns its place in the log.
std::size_t write_opener(const char* kind, const char* label, ImVec2 size, bool enabled,
                         State state = {}) {
  if (!notes()) return 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  write(kind, label, {at, {at.x + size.x, at.y + size.y}}, enabled && !is_disabled(),
        std::move(state));
  return the_log != nullptr ? the_log->size() - 1 : 0;
}
void note_opened(std::size_t index, bool open) {
  the_last_widget = open ? 0 : ImGui::GetItemID();
  if (the_log == nullptr) return;
  WidgetRecord& widget = (*the_log)[index];
  widget.on = open;
  widget.hovered = !open && ImGui::IsItemHovered();
  widget.focused = !open && has_ring(ImGui::GetItemID());
}

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

void write_down(std::vector<WidgetRecord>* log) {
  the_log = log;
  the_path.clear();
  the_about.clear();
  the_last_widget = 0;
}

void look_for(std::string window, std::string name) {
  the_sought = {.window = std::move(window), .name = std::move(name)};
  if (the_log == nullptr) the_path.clear();
}

const WidgetRecord* found() { return the_sought.found ? &*the_sought.found : nullptr; }

bool is_sought() { return the_sought.id != 0 && the_sought.id == ImGui::GetItemID(); }

AboutScope::AboutScope(std::string_view about)
    : before_(std::exchange(the_about, std::string(about))) {}

AboutScope::~AboutScope() { the_about = std::move(before_); }

void note_about(std::string_view about) {
  if (the_log == nullptr || the_log->empty() || the_last_widget == 0) return;
  if (ImGui::GetCurrentContext()->LastItemData.ID == the_last_widget) the_log->back().about = about;
}

void note_fact(const char* name, std::string_view value, std::string_view about) {
  if (the_log == nullptr) return;
  const AboutScope scope(about);
  write("fact", name, ImGui::GetCurrentContext()->LastItemData.Rect, true,
        {.text = std::string(value)});
}

void note_view(ImVec2 from, ImVec2 to, bool hovered) {
  const WidgetRecord view{.kind = "view",
                          .window = "",
                          .name = "View",
                          .from = from,
                          .to = to,
                          .visible = to.x - from.x > 1.0F,
                          .hovered = hovered,
                          .about = "The picture of the scene."};
  if (the_sought.window.empty() && the_sought.name == view.name) the_sought.found = view;
  the_last_widget = 0;
  if (the_log != nullptr) the_log->push_back(view);
}

void collect_stops(std::vector<FocusStop>* stops, bool ring) {
  the_stops = stops;
  the_ring = ring;
  the_next_has_focus = false;
}

void add_stop() { add_stop_of("button"); }

void focus_next() { the_next_has_focus = true; }

void focus(const FocusStop& stop) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::ClearActiveID();
  ImGui::FocusWindow(stop.window);
  const ImRect place(stop.from, stop.to);
  ImGui::SetNavID(stop.id, ImGuiNavLayer_Main, 0, ImGui::WindowRectAbsToRel(stop.window, place));
  g.NavInitRequest = false;
  g.NavDisableHighlight = false;
  g.NavDisableMouseHover = true;
  ImGui::ScrollToRectEx(stop.window, place, ImGuiScrollFlags_KeepVisibleEdgeY);
  if (!stop.is_field) return;
  g.NavNextActivateId = stop.id;
  g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
}

std::vector<WindowRecord> windows() {
  std::vector<WindowRecord> all;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || window->Hidden || is_part(window) || window->IsFallbackWindow) continue;
    all.push_back({window->Name,
                   window->Pos,
                   {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}});
  }
  return all;
}

void push_id(const char* name) {
  ImGui::PushID(name);
  if (notes()) the_path.emplace_back(name);
}

void pop_id() {
  ImGui::PopID();
  if (notes() && !the_path.empty()) the_path.pop_back();
}

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
  const bool changed = ImGui::Checkbox(label, on);
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
  const bool changed = [&] {
    const HiddenGrab hidden;
    return ImGui::SliderScalar(label, ImGuiDataType_Double, &shown, &least, &most, format, flags);
  }();
  write_last("slider", label, {.value = shown});
  if (!fixed)
    underline(place_on_slider(shown, least, most, (flags & ImGuiSliderFlags_Logarithmic) != 0));
  ImGui::EndDisabled();
  if (changed) *value = shown;
  return changed;
}

bool slider(const char* label, int* value, int least, int most, const char* format) {
  hold_by_arrows(label);
  const bool changed = [&] {
    const HiddenGrab hidden;
    return ImGui::SliderInt(label, value, least, most, format, ImGuiSliderFlags_AlwaysClamp);
  }();
  write_last("slider", label, {.value = static_cast<double>(*value)});
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
