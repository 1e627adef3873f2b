#include "app/panels/widget_records.h"

#include <algorithm>
#include <utility>

#include "app/panels/widget_focus.h"

namespace warpview::ui {
namespace {

std::vector<WidgetRecord>* the_log = nullptr;
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
void write(const char* kind, std::string_view label, ImRect place, bool enabled, WidgetState state,
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

}  // namespace

bool is_disabled() {
  return (ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled) != 0;
}

void write_last(const char* kind, std::string_view label, WidgetState state) {
  add_stop_of(kind);
  if (!notes()) return;
  const ImGuiLastItemData& item = ImGui::GetCurrentContext()->LastItemData;
  const bool enabled = (item.InFlags & ImGuiItemFlags_Disabled) == 0;
  write(kind, label, item.Rect, enabled, std::move(state), item.ID);
  if (the_log == nullptr) return;
  the_log->back().hovered = ImGui::IsItemHovered();
  the_log->back().focused = has_ring(item.ID);
}

std::size_t write_opener(const char* kind, const char* label, ImVec2 size, bool enabled,
                         WidgetState state) {
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

}  // namespace warpview::ui
