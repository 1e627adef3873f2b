// The dialogs that choose a file to open, or where a scene is saved.
#include <array>
#include <string>

#include "app/panels/parts.h"

namespace warpview {

void draw_browsers(Model& model, PanelState& state) {
  if (const auto file = state.browser.draw(state.fonts, state.settings.recent))
    open_file_in(model, file->string());
  if (const auto file = state.saver.draw(state.fonts)) {
    model.requests.add(request::SaveScene{file->string()});
    state.settings.opened(*file);
    state.settings_changed = true;
  }
  for (const FileBrowser* const browser : {&state.browser, &state.saver}) {
    if (!browser->is_open()) continue;
    state.animates = true;  // its cursor
    const std::string folder = browser->folder().string();
    if (folder == state.settings.folder) continue;
    state.settings.folder = folder;
    state.settings_changed = true;
  }
}

}  // namespace warpview
