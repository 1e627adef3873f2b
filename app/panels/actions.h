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
  // Outermost first: the menu and its submenu, or the part of the window.
  std::vector<std::string> path;
  std::string label;
  std::string keys{};         // as in command_keys; empty: it has none
  std::string hint{};         // shown in the place of the keys
  std::optional<bool> on{};   // ticked or not, where it is one of several or a switch
  std::string why_not{};      // why it is unavailable; empty: it is not
  std::string about{};        // its tooltip
  std::string id{};           // of a label that changes; empty: the label
  std::string name{};         // as the command line has it; typed in full it comes first
  bool begins_group = false;  // a line above it
  std::function<void()> act{};
};

// The menus of the menu bar.
std::span<const char* const> menu_names();
// Their items, in order. They hold references to both arguments.
std::vector<Action> menu_actions(Model& model, PanelState& state);
// These, and the actions of the laboratory and of the scene's stages and controls.
std::vector<Action> all_actions(Model& model, PanelState& state);

// Draws the menus into the menu bar.
void draw_menus(Model& model, PanelState& state);
void draw_palette(Model& model, PanelState& state);

// The primitive that the window is about: the laboratory's where it is shown, else that of the
// stage whose comparison is open, or of the first stage with variants.
Primitive primitive_in_view(const Model& model, const PanelState& state);

// Why the laboratory cannot go to this primitive now; empty: it can, or it is there.
std::string lab_misses(const Model& model, Primitive primitive);

}  // namespace warpview
