// What can be seen and used in the window, written into a file whenever it changes: so that a test
// finds widgets as people find them, and waits for states instead of time. docs/ui-map.md says what
// is in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/model.h"
#include "app/panels/named_widgets.h"
#include "app/panels/panels.h"

namespace warpview {

// The window's own state.
struct WindowState {
  int width = 0, height = 0;  // units
  float pixels_per_unit = 1.0F;
  float desktop_scale = 1.0F;
  std::size_t events_seen = 0;  // of keys and mouse, so far
  std::size_t events_waiting = 0;
  bool is_settled = true;  // no other frame follows by itself: nothing on it will move
};

nlohmann::ordered_json describe_window(const Model& model, const PanelState& panels,
                                       const std::vector<ui::WidgetRecord>& widgets,
                                       const WindowState& window);

class UiMap {
 public:
  explicit UiMap(std::filesystem::path file);
  ~UiMap() { ui::write_down(nullptr); }
  UiMap(const UiMap&) = delete;
  UiMap& operator=(const UiMap&) = delete;

  // Before the first widget of a frame.
  void begin_frame();
  // After the last one, before ImGui::NewFrame(). The file is whole at every moment. Error when it
  // cannot be written.
  void end_frame(const Model& model, const PanelState& panels, const WindowState& window);

 private:
  std::filesystem::path file_;
  std::vector<ui::WidgetRecord> widgets_;
  std::string written_;  // but for the frame's number
  std::uint64_t frame_ = 0;
};

}  // namespace warpview
