#include "app/panels/widget_focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "app/panels/style.h"
#include "app/panels/widget_records.h"

namespace warpview::ui {
namespace {

std::vector<FocusStop>* the_stops = nullptr;
bool the_ring = false;
bool the_next_has_focus = false;
ImGuiID the_held_slider = 0;  // by the arrows

ImGuiKey sideways_key(int direction) {
  return direction < 0 ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow;
}

bool is_one_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

bool has_ring(ImGuiID id) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return the_ring && g.NavId == id && !g.NavDisableHighlight;
}

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

int arrow_of_last(bool sideways) {
  if (!has_ring(ImGui::GetItemID()) || is_disabled()) return 0;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int direction = (pressed(sideways ? ImGuiKey_RightArrow : ImGuiKey_DownArrow) ? 1 : 0) -
                        (pressed(sideways ? ImGuiKey_LeftArrow : ImGuiKey_UpArrow) ? 1 : 0);
  if (direction != 0) ImGui::NavMoveRequestCancel();
  return direction;
}

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

}  // namespace warpview::ui
