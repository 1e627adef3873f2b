#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

using Row = std::pair<const char*, const char*>;

constexpr std::array mouse = {
    Row{"Cursor", "what is under it appears at the lower left"},
    Row{"Left drag", "orbit"},
    Row{"Left click", "pick: show details and highlight"},
    Row{"Right or middle drag, Shift + left drag", "pan"},
    Row{"Double click", "orbit around this point"},
    Row{"Drag a panel's edge", "resize it; double click: default width"},
    Row{"Wheel", "zoom about the point under the cursor"},
    Row{"Drop files", "open them; several open as one scene"},
    Row{"Right click a stage, fact or control", "its page"},
};
// The ring marks the widget.
constexpr std::array focus = {
    Row{"Left, Right", "move a slider, with Shift by ten times as much"},
    Row{"Enter on a slider", "type its value"},
    Row{"Space or Enter", "press a button, tick a box, open a list, follow a link"},
    Row{"Arrows", "move the focus within a panel or list; scroll a page"},
};

constexpr std::array flight = {
    Row{"Mouse", "look around"},
    Row{"W, S or up, down", "forward, back"},
    Row{"A, D or left, right", "sideways"},
    Row{"Q, E", "down, up"},
    Row{"Shift", "four times as fast"},
    Row{"Wheel", "faster, slower"},
    Row{"Esc or click", "stop flying"},
};

void draw_rows(const PanelState& state, const char* title, std::span<const Row> rows) {
  section(state.fonts, title);
  if (!ImGui::BeginTable(title, 2)) return;
  ImGui::TableSetupColumn("input", ImGuiTableColumnFlags_WidthFixed, 13.5F * em());
  ImGui::TableSetupColumn("effect", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [input, effect] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    paragraph(colour::accent, input);
    ImGui::TableNextColumn();
    paragraph(colour::text, effect);
  }
  ImGui::EndTable();
}

// "Alt+F, E, S, V, H": the first letters of the menus.
std::string keys_of_menus() {
  std::string keys;
  for (const char* const name : menu_names()) {
    keys += keys.empty() ? "Alt+" : ", ";
    keys += name[0];
  }
  return keys;
}

void draw_words(const PanelState& state, const char* title, const char* words) {
  section(state.fonts, title);
  paragraph(colour::dim, words);
}

}  // namespace

void draw_help(const Model& model, PanelState& state) {
  if (!state.show_help) return;
  if (begin_centred("Keys", &state.show_help, 36.0F, 0.9F, ImGuiWindowFlags_NoResize)) {
    scroll_by_keys("##page");
    draw_rows(state, "Mouse", mouse);
    std::vector<Row> keys;
    keys.reserve(command_keys.size() + 1);
    for (const CommandKeys& row : command_keys) keys.emplace_back(row.keys, row.effect);
    const std::string menus = keys_of_menus();
    keys.emplace_back(menus.c_str(), "open a menu; arrows and Enter choose");
    draw_rows(state, "Keys", keys);
    draw_rows(state, "Where a widget has the focus", focus);
    std::vector<Row> sides;
    sides.reserve(side_keys.size());
    for (const SideKeys& row : side_keys) sides.emplace_back(row.keys, row.title);
    draw_rows(state, "Look from", sides);
    draw_rows(state, "Flying", flight);
    std::vector<Row> outputs;
    std::vector<std::string> names;  // that the rows point into
    names.reserve(model.outputs.size());
    for (const OutputRow& output : model.outputs)
      if (output.key != 0)
        outputs.emplace_back(names.emplace_back(1, output.key).c_str(), output.title.c_str());
    if (!outputs.empty()) draw_rows(state, "Show or hide", outputs);
    draw_words(state, "Remembered settings",
               "A scene reopens as you left it: camera, controls, variants and outputs. Scene > "
               "Reset settings of this scene forgets one scene; File > Open recent > Forget these "
               "forgets all scenes and files. Without a window nothing is remembered.");
    draw_words(
        state, "Reading the timings",
        "Choose another variant of a stage: the picture stays, the times change. \"vs memcpy\" = "
        "(minimum bytes / time) / memcpy bandwidth; 100 % leaves nothing to gain. A variant's "
        "tooltip names its source and file. Compare runs all variants of a stage on the scene's "
        "input. Pin as A keeps all settings and times; every stage then shows its ratio to A. The "
        "bars of a frame add up to wall-clock time: coloured is the device, grey the host. Click "
        "cuda, hip or cpu above the times to compute there.");
    draw_words(state, "Themes",
               "View > Theme switches panels, plots and the view's background between dark and "
               "light. The choice is remembered; --theme sets it on the command line.");
    draw_words(state, "The laboratory",
               "Run times all variants on one input, Sweep over many sizes. In the Code tab, drag, "
               "double click or Ctrl+A select, and Ctrl+C copies; click an include to open it. "
               "SASS needs the CUDA toolkit's cuobjdump.");
  }
  ImGui::End();
}

}  // namespace warpview
