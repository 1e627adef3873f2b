// What can be done now, as rows: the menus draw some of them, the palette offers all.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/panels.h"

namespace warpview {

struct Action {
  // From the outside: the menu and its submenu, or what of the window it belongs to.
  std::vector<std::string> path;
  std::string label;
  std::string keys{};         // as in command_keys; empty: it has none
  std::string hint{};         // shown in the place of the keys
  std::optional<bool> on{};   // ticked or not, where it is one of several or a switch
  std::string why_not{};      // why it is unavailable; empty: it is not
  std::string about{};        // its tooltip
  std::string id{};           // of a label that changes; empty: the label
  bool begins_group = false;  // a line above it
  std::function<void()> act{};
};

// The menus of the menu bar.
std::span<const char* const> menu_names();
// Their items, in order. Holds references to both.
std::vector<Action> menu_actions(Model& model, PanelState& state);
// These, and what the laboratory, the stages and the controls of the scene offer.
std::vector<Action> all_actions(Model& model, PanelState& state);

// Into the menu bar.
void draw_menus(Model& model, PanelState& state);
void draw_palette(Model& model, PanelState& state);

// The primitive that the window is about: the laboratory's where it is shown, else that of the
// stage whose comparison is open, or of the first stage with variants.
Primitive primitive_in_view(const Model& model, const PanelState& state);

}  // namespace warpview
