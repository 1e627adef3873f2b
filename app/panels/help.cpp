#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

using Row = std::pair<const char*, const char*>;

constexpr std::array mouse = {
    Row{"Cursor", "what it is over stands at the lower left"},
    Row{"Left drag", "turn around the scene"},
    Row{"Left click", "tell all about what is there, and light it up"},
    Row{"Right or middle drag, Shift + left drag", "move sideways"},
    Row{"Double click", "turn around what is there from now on"},
    Row{"Drag a panel's edge", "make it wider or narrower; a double click: as usual"},
    Row{"Wheel", "nearer to what is under the cursor, farther"},
    Row{"Drop files", "open them, several as one scene"},
};
constexpr std::array keys = {
    Row{"F", "fit the scene into the view"},
    Row{"Shift + F", "fly, or no more"},
    Row{"Home", "the view to begin with"},
    Row{"Keypad 1, 3, 7", "look from the front, the right, the top; with Ctrl from the other side"},
    Row{"U", "is y or z up?"},
    Row{"Space", "pause or run what moves"},
    Row{".", "one frame of a scene that is paused"},
    Row{"Tab", "hide or show the panels"},
    Row{"Shift + Tab", "the other panel, where there is room for one"},
    Row{"L", "the laboratory: all variants of a primitive side by side"},
    Row{"Ctrl + O", "open a file"},
    Row{"F5", "read it again"},
    Row{"Ctrl + Z, Ctrl + Shift + Z", "undo, redo what was set in the scene, the camera aside"},
    Row{"Ctrl + S", "screenshot of the view"},
    Row{"Ctrl + Shift + S", "the same in another size, or with the panels"},
    Row{"F1 or ?", "this page"},
    Row{"Esc", "close what is open"},
    Row{"Ctrl + plus, minus, 0", "larger or smaller panels, or as usual"},
    Row{"Ctrl + Q", "quit"},
};

constexpr std::array flight = {
    Row{"Mouse", "look around"},
    Row{"W, S or up, down", "ahead, back"},
    Row{"A, D or left, right", "sideways"},
    Row{"Q, E", "down, up"},
    Row{"Shift", "four times as fast"},
    Row{"Wheel", "faster, slower"},
    Row{"Esc or click", "stay there"},
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

void draw_words(const PanelState& state, const char* title, const char* words) {
  section(state.fonts, title);
  paragraph(colour::dim, words);
}

}  // namespace

void draw_help(const Model& model, PanelState& state) {
  if (!state.show_help) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(36.0F * em(), 0.94F * display.x), 0.0F}, ImGuiCond_Appearing);
  if (ImGui::Begin("Help", &state.show_help,
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoResize)) {
    draw_rows(state, "Mouse", mouse);
    draw_rows(state, "Keys", keys);
    draw_rows(state, "While you fly", flight);
    std::vector<Row> outputs;
    std::vector<std::string> names;  // that the rows point into
    names.reserve(model.outputs.size());
    for (const OutputRow& output : model.outputs)
      if (output.key != 0)
        outputs.emplace_back(names.emplace_back(1, output.key).c_str(), output.title.c_str());
    if (!outputs.empty()) draw_rows(state, "Show or hide", outputs);
    draw_words(state, "What is remembered",
               "The next time a scene is opened it is as it was left: camera, controls, variants "
               "and what is shown. Scene > Reset settings of this scene forgets that; File > Open "
               "recent > Forget these forgets all scenes and files. Without a window nothing is "
               "remembered.");
    draw_words(state, "Reading the timings",
               "Choose a variant of a stage: the picture stays, the times change. \"vs copy\" "
               "sets the bytes that the variant must move, over its time, beside a plain "
               "device-to-device copy of as many bytes: the nearer to 100 %, the less is left "
               "to gain. A variant's tooltip names its source and the file to read. Compare "
               "runs all variants of a stage on the scene's input; Pin as A keeps the whole "
               "setting, and every stage then says how many times as fast as A it is. The bar of a "
               "frame adds up to what passed on the clock: coloured is the device, grey the "
               "host. A click on cuda, hip or cpu above the times computes there from now on.");
    draw_words(state, "Dark or light",
               "View > Theme turns panels, plots and the view's background around. It is "
               "remembered; --theme chooses it on the command line.");
    draw_words(state, "The laboratory",
               "Run times all variants on one input, Sweep over many sizes. In the Code tab, "
               "drag, double click or Ctrl + A select and Ctrl + C copies; a click on an include "
               "opens it. SASS needs the CUDA toolkit's cuobjdump.");
  }
  ImGui::End();
}

}  // namespace warpview
