#include "app/panels/keyboard.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "app/panels/panels.h"

namespace warpview {
namespace {

using Move = KeyboardFocus::Move;
using Stops = std::vector<ui::FocusStop>;

ImGuiContext& context() { return *ImGui::GetCurrentContext(); }

ImGuiWindow* menu_bar() { return ImGui::FindWindowByName("##MainMenuBar"); }

bool has_menu() {
  const ImGuiContext& g = context();
  return g.OpenPopupStack.Size > 0 && g.OpenPopupStack[0].SourceWindow == menu_bar();
}

ImGuiWindow* root_of(ImGuiWindow* window) {
  return window == nullptr ? nullptr : window->RootWindow;
}

bool is_on_bar() {
  const ImGuiWindow* const window = context().NavWindow;
  return window != nullptr && window == menu_bar();
}

bool can_have_focus(const ImGuiWindow* window) {
  return window != nullptr && (window->Flags & ImGuiWindowFlags_NoNavInputs) == 0;
}

// A window that stays in its place, unlike a dialog.
bool is_panel(const ImGuiWindow& root) {
  if (!can_have_focus(&root)) return false;
  constexpr ImGuiWindowFlags of_panels = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar;
  return (root.Flags & of_panels) == of_panels && (root.Flags & ImGuiWindowFlags_Popup) == 0;
}

// A window with a title over the panels.
bool is_floating(const ImGuiWindow* root) {
  constexpr ImGuiWindowFlags no_window =
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_Popup | ImGuiWindowFlags_Tooltip;
  return can_have_focus(root) && (root->Flags & no_window) == 0;
}

// The stops that Tab goes through: those of the dialog that has the focus, else of all panels. None
// in a list or menu, where arrows choose.
Stops within_reach(const Stops& all) {
  const ImGuiContext& g = context();
  const ImGuiWindow* scope = root_of(g.NavWindow);
  if (g.OpenPopupStack.Size > 0) {
    scope = g.OpenPopupStack.back().Window;
    if (scope == nullptr || (scope->Flags & ImGuiWindowFlags_Modal) == 0) return {};
  }
  const bool is_dialog = can_have_focus(scope) && !is_panel(*scope) && scope != menu_bar();
  Stops stops;
  for (const ui::FocusStop& stop : all) {
    const ImGuiWindow& root = *root_of(stop.window);
    if (stop.enabled && (is_dialog ? &root == scope : is_panel(root))) stops.push_back(stop);
  }
  return stops;
}

void step(const Stops& all, bool forward) {
  const ImGuiContext& g = context();
  const Stops stops = within_reach(all);
  if (stops.empty()) return;
  const auto current = std::find_if(stops.begin(), stops.end(), [&g](const ui::FocusStop& stop) {
    return stop.id == g.NavId && stop.window == g.NavWindow;
  });
  if (current != stops.end()) {
    const auto count = static_cast<std::size_t>(stops.size());
    const auto at = static_cast<std::size_t>(current - stops.begin());
    ui::focus(stops[(at + (forward ? 1 : count - 1)) % count]);
    return;
  }
  const auto in_window = std::find_if(stops.begin(), stops.end(), [&g](const ui::FocusStop& stop) {
    return root_of(stop.window) == root_of(g.NavWindow);
  });
  ui::focus(in_window != stops.end() ? *in_window : forward ? stops.front() : stops.back());
}

// To the first widget of another panel or dialog. Edges are no panels.
void step_panel(const Stops& all, bool forward) {
  const ImGuiContext& g = context();
  if (g.OpenPopupStack.Size > 0) return;
  Stops firsts;
  for (const ui::FocusStop& stop : all) {
    const auto is_of_it = [&stop](const ui::FocusStop& first) {
      return root_of(first.window) == root_of(stop.window);
    };
    const bool can = stop.enabled && can_have_focus(root_of(stop.window));
    if (can && !stop.is_splitter && std::none_of(firsts.begin(), firsts.end(), is_of_it))
      firsts.push_back(stop);
  }
  if (firsts.empty()) return;
  const auto current = std::find_if(firsts.begin(), firsts.end(), [&g](const ui::FocusStop& first) {
    return g.NavWindow != nullptr && root_of(first.window) == root_of(g.NavWindow);
  });
  const std::size_t count = firsts.size();
  if (current == firsts.end()) return ui::focus(forward ? firsts.front() : firsts.back());
  const auto at = static_cast<std::size_t>(current - firsts.begin());
  ui::focus(firsts[(at + (forward ? 1 : count - 1)) % count]);
}

// ---- Menus --------------------------------------------------------------------------------------

void enter_menus(KeyboardFocus& keyboard) {
  const ImGuiContext& g = context();
  ImGuiWindow* const bar = menu_bar();
  if (bar == nullptr) return;
  if (!keyboard.in_menus) {
    const bool from_panels = keyboard.ring && g.NavWindow != nullptr;
    keyboard.before_menus = {from_panels ? g.NavWindow->ID : 0, from_panels ? g.NavId : 0};
  }
  keyboard.ring = true;
  ImGui::ClearActiveID();
  ImGui::FocusWindow(bar);
}

// The laboratory where it takes the view's place: what it plays has keys of its own. Null: it does
// not.
ImGuiWindow* laboratory_alone() {
  ImGuiWindow* const lab = ImGui::FindWindowByName("Laboratory");
  return lab != nullptr && lab->WasActive && lab->Pos.x < 1.0F ? lab : nullptr;
}

void give_to_view(KeyboardFocus& keyboard) {
  keyboard.ring = false;
  keyboard.in_menus = keyboard.had_menu = false;
  keyboard.follows = 0;
  keyboard.last = {};
  ImGui::ClearActiveID();
  ImGui::FocusWindow(laboratory_alone());
}

// To the view where the place has gone.
void move_focus(KeyboardFocus& keyboard, KeyboardFocus::Place place) {
  ImGuiWindow* const window = place.window != 0 ? ImGui::FindWindowByID(place.window) : nullptr;
  if (window == nullptr || !window->WasActive) return give_to_view(keyboard);
  ImGui::FocusWindow(window);
  ImGui::SetNavID(place.widget, ImGuiNavLayer_Main, 0, window->NavRectRel[ImGuiNavLayer_Main]);
  keyboard.in_menus = keyboard.had_menu = false;
}

void leave_menus(KeyboardFocus& keyboard) {
  move_focus(keyboard, std::exchange(keyboard.before_menus, {}));
}

// A menu is closed once an item was chosen, by Escape, or on the way to the one beside it.
void follow_menus(KeyboardFocus& keyboard) {
  const ImGuiContext& g = context();
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const bool is_open = has_menu();
  if (keyboard.follows > 0) --keyboard.follows;
  if (keyboard.had_menu && !is_open) {
    if (is_on_bar() && (pressed(ImGuiKey_LeftArrow) || pressed(ImGuiKey_RightArrow))) {
      constexpr int frames = 5;  // that ImGui takes until the focus is on the menu beside it
      keyboard.follows = frames;
      keyboard.follow_from = g.NavId;
    } else if (is_on_bar() || !can_have_focus(g.NavWindow) ||
               (g.NavWindow->Flags & ImGuiWindowFlags_ChildMenu) != 0) {
      leave_menus(keyboard);
    }
  }
  keyboard.had_menu = keyboard.ring && is_open;
  keyboard.in_menus = keyboard.ring && (is_open || is_on_bar());
}

// Returns the focus to the panel that had it last, once the dialog that has it is closed.
void keep_place(KeyboardFocus& keyboard) {
  const ImGuiContext& g = context();
  if (g.OpenPopupStack.Size > 0 || keyboard.in_menus || !keyboard.control.empty()) return;
  if (!can_have_focus(g.NavWindow) || is_on_bar())
    move_focus(keyboard, keyboard.last);
  else if (is_panel(*root_of(g.NavWindow)) && g.NavId != 0)
    keyboard.last = {g.NavWindow->ID, g.NavId};
}

// Alt, pressed and let go without anything else.
void take_alt(KeyboardFocus& keyboard) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool clicks =
      std::any_of(std::begin(io.MouseDown), std::end(io.MouseDown), [](bool down) { return down; });
  if (io.KeyAlt && !keyboard.alt_down) keyboard.alt_alone = true;
  if (io.KeyCtrl || io.KeyShift || io.KeySuper || clicks || io.MouseWheel != 0.0F)
    keyboard.alt_alone = false;
  if (!io.KeyAlt && keyboard.alt_down && std::exchange(keyboard.alt_alone, false))
    keyboard.wish = Move::menus;
  keyboard.alt_down = io.KeyAlt;
}

void carry_out(KeyboardFocus& keyboard, Move move) {
  switch (move) {
    case Move::next:
    case Move::previous:
    case Move::next_panel:
    case Move::previous_panel: {
      if (keyboard.in_menus) leave_menus(keyboard);
      const bool forward = move == Move::next || move == Move::next_panel;
      const bool by_panels = move == Move::next_panel || move == Move::previous_panel;
      by_panels ? step_panel(keyboard.stops, forward) : step(keyboard.stops, forward);
      keyboard.ring = true;
      return;
    }
    case Move::menus:
      if (keyboard.in_menus) {
        if (has_menu()) ImGui::ClosePopupToLevel(0, false);
        leave_menus(keyboard);
      } else if (context().OpenPopupStack.Size == 0) {
        enter_menus(keyboard);
        keyboard.focuses_first_menu = true;
      }
  }
}

}  // namespace

void begin_keyboard(PanelState& state) {
  KeyboardFocus& keyboard = state.keyboard;
  ImGuiContext& g = context();
  g.IO.KeyMap[ImGuiKey_Tab] = -1;     // ImGui would go through sliders and fields alone
  g.NavWindowingToggleLayer = false;  // and by Alt to the buttons of title bars
  take_alt(keyboard);
  const bool clicks = std::any_of(std::begin(g.IO.MouseClicked), std::end(g.IO.MouseClicked),
                                  [](bool clicked) { return clicked; });
  if (clicks || state.flies) {
    keyboard.ring = keyboard.in_menus = keyboard.had_menu = false;
    keyboard.last = {};
    keyboard.wish.reset();
  }
  if (keyboard.menu && g.OpenPopupStack.Size > 0 && !has_menu()) keyboard.menu.reset();
  if (keyboard.menu) enter_menus(keyboard);
  if (keyboard.ring) g.NavDisableHighlight = false;
  keyboard.stops.clear();
  ui::collect_stops(&keyboard.stops, keyboard.ring);
}

void end_keyboard(PanelState& state) {
  KeyboardFocus& keyboard = state.keyboard;
  ui::collect_stops(nullptr, keyboard.ring);
  if (keyboard.ring) follow_menus(keyboard);
  if (keyboard.ring) keep_place(keyboard);
  if (const auto wish = std::exchange(keyboard.wish, std::nullopt); wish && !state.palette.open) {
    carry_out(keyboard, *wish);
    state.animates = true;
  }
  keyboard.menu.reset();
  const ImGuiContext& g = context();
  constexpr int first_frames = 2;  // in which panels appear: the view begins with the keys
  if (g.FrameCount <= first_frames && !keyboard.ring && g.OpenPopupStack.Size == 0)
    ImGui::FocusWindow(nullptr);
  keyboard.takes_escape =
      g.OpenPopupStack.Size > 0 || (g.ActiveId != 0 && g.ActiveIdSource != ImGuiInputSource_Mouse);
}

void prepare_menu(PanelState& state, std::size_t index, const char* label) {
  KeyboardFocus& keyboard = state.keyboard;
  const ImGuiContext& g = context();
  if (!keyboard.ring || !is_on_bar()) return;
  ImGui::PushID(label);
  const ImGuiID id = ImGui::GetID("");
  ImGui::PopID();
  const bool is_reached = keyboard.follows > 0 && g.NavId == id && g.NavId != keyboard.follow_from;
  const bool opens = keyboard.menu == index || is_reached;
  if (opens || (index == 0 && std::exchange(keyboard.focuses_first_menu, false)))
    ImGui::SetNavID(id, ImGuiNavLayer_Menu, 0, {});
  if (!opens) return;
  keyboard.follows = 0;
  ImGui::OpenPopup(label);
}

bool leave_focus(PanelState& state) {
  KeyboardFocus& keyboard = state.keyboard;
  if (!keyboard.ring) return false;
  if (keyboard.in_menus)
    leave_menus(keyboard);
  else
    give_to_view(keyboard);
  return true;
}

bool is_in_dialog(const PanelState& state) {
  const ImGuiWindow* const root = root_of(context().NavWindow);
  return state.keyboard.ring && can_have_focus(root) && !is_panel(*root) && root != menu_bar();
}

std::string focused_window() {
  const ImGuiWindow* const root = root_of(context().NavWindow);
  // Between two frames no window is active yet.
  if (!is_floating(root) || (!root->Active && !root->WasActive)) return {};
  const std::string name = root->Name;
  return name.substr(0, name.find("##"));
}

bool is_taken_by_focus(const PanelState& state, int key) {
  if (!state.keyboard.ring && focused_window().empty()) return false;
  constexpr std::array keys = {ImGuiKey_Space,     ImGuiKey_Enter,      ImGuiKey_Home,
                               ImGuiKey_End,       ImGuiKey_PageUp,     ImGuiKey_PageDown,
                               ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};
  return std::any_of(keys.begin(), keys.end(),
                     [key](ImGuiKey each) { return ImGui::GetKeyIndex(each) == key; });
}

void scroll_by_keys(const char* label) {
  ImGuiContext& g = context();
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  if (ImGui::ItemAdd(window->InnerRect, ImGui::GetID(label))) ui::add_stop();
  const bool is_for_it = g.IO.NavVisible || is_floating(window);
  if (!is_for_it || g.NavWindow != window || g.OpenPopupStack.Size > 0) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  constexpr float line = 3.0F;  // ems
  const float page = 0.9F * window->InnerRect.GetHeight();
  float way = 0.0F;
  if (pressed(ImGuiKey_UpArrow)) way -= line * g.FontSize;
  if (pressed(ImGuiKey_DownArrow)) way += line * g.FontSize;
  if (pressed(ImGuiKey_PageUp)) way -= page;
  if (pressed(ImGuiKey_PageDown)) way += page;
  if (pressed(ImGuiKey_Home)) way = -window->Scroll.y;
  if (pressed(ImGuiKey_End)) way = window->ScrollMax.y - window->Scroll.y;
  if (way == 0.0F) return;
  ImGui::NavMoveRequestCancel();
  ImGui::SetScrollY(std::clamp(window->Scroll.y + way, 0.0F, window->ScrollMax.y));
}

void feed_focus() {
  // ImGui chooses from menus and lists with Space alone; people are used to Enter.
  ImGuiIO& io = ImGui::GetIO();
  if ((io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0 &&
      ImGui::IsKeyDown(ImGui::GetKeyIndex(ImGuiKey_Enter)))
    io.NavInputs[ImGuiNavInput_Activate] = 1.0F;
}

}  // namespace warpview
