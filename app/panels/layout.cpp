#include "app/panels/layout.h"

#include <algorithm>

namespace warpview {
namespace {

constexpr float least_view = 14.0F;
constexpr float tab_strip = 1.9F;
constexpr float usual_scene = 17.0F;
constexpr float usual_timings = 35.0F;
// Most of the window, within these.
constexpr float usual_laboratory_share = 0.64F;
constexpr float usual_laboratory_least = 60.0F;
constexpr float usual_laboratory_most = 96.0F;

float usual_width(const LayoutWishes& wishes, Panel panel) {
  switch (panel) {
    case Panel::scene:
      return usual_scene;
    case Panel::timings:
      return usual_timings;
    case Panel::laboratory:
      return std::clamp(usual_laboratory_share * wishes.window, usual_laboratory_least,
                        usual_laboratory_most);
  }
  return 0.0F;
}

// As it was dragged, else as usual.
float wanted_width(const LayoutWishes& wishes, Panel panel) {
  const float dragged = panel == Panel::scene     ? wishes.scene_width
                        : panel == Panel::timings ? wishes.timings_width
                                                  : wishes.laboratory_width;
  const auto [least, most] = width_range(panel);
  return dragged > 0.0F ? std::clamp(dragged, least, most) : usual_width(wishes, panel);
}

// The laboratory takes all of a window too narrow for a picture beside it.
Layout with_laboratory(const LayoutWishes& wishes) {
  Layout layout;
  const bool covers = wishes.no_view || !has_room_beside_laboratory(wishes.window);
  layout.laboratory =
      covers ? wishes.window
             : std::min(wanted_width(wishes, Panel::laboratory), wishes.window - least_view);
  layout.view = wishes.window - layout.laboratory;
  return layout;
}

// What was dragged wide gives way until the view has its room, down to the usual width.
Layout side_by_side(const LayoutWishes& wishes) {
  Layout layout;
  if (wishes.scene) layout.scene = wanted_width(wishes, Panel::scene);
  if (wishes.timings) layout.timings = wanted_width(wishes, Panel::timings);
  const auto shrink = [&](float& panel, float usual) {
    const float missing = layout.scene + layout.timings + least_view - wishes.window;
    if (missing > 0.0F && panel > usual) panel = std::max(panel - missing, usual);
  };
  shrink(layout.timings, usual_timings);
  shrink(layout.scene, usual_scene);
  layout.view = wishes.window - layout.scene - layout.timings;
  return layout;
}

// One at a time, over the view where there is no room beside that.
Layout with_tabs(const LayoutWishes& wishes) {
  Layout layout;
  layout.tabs = std::min(tab_strip, wishes.window);
  layout.view = wishes.window - layout.tabs;
  if (wishes.folded) return layout;
  const bool is_scene = wishes.front == Panel::scene ? wishes.scene : !wishes.timings;
  const Panel front = is_scene ? Panel::scene : Panel::timings;
  float& open = is_scene ? layout.scene : layout.timings;
  const bool covers = layout.view < usual_width(wishes, front) + least_view;
  open = covers ? layout.view : std::min(wanted_width(wishes, front), layout.view - least_view);
  layout.view -= open;
  return layout;
}

}  // namespace

WidthRange width_range(Panel panel) {
  switch (panel) {
    case Panel::scene:
      return {13.0F, 40.0F};
    case Panel::timings:
      return {26.0F, 80.0F};
    case Panel::laboratory:
      return {44.0F, 200.0F};
  }
  return {};
}

Layout lay_out(const LayoutWishes& wishes) {
  if (wishes.laboratory) return with_laboratory(wishes);
  const float needed =
      (wishes.scene ? usual_scene : 0.0F) + (wishes.timings ? usual_timings : 0.0F) + least_view;
  const bool has_any = wishes.scene || wishes.timings;
  return has_any && wishes.window < needed ? with_tabs(wishes) : side_by_side(wishes);
}

bool has_room_beside_laboratory(float window) {
  return window >= usual_laboratory_least + least_view;
}

float width_of(const Layout& layout, Panel panel) {
  return panel == Panel::scene     ? layout.scene
         : panel == Panel::timings ? layout.timings
                                   : layout.laboratory;
}

float most_width(const Layout& layout, Panel panel) {
  return std::min(width_of(layout, panel) + layout.view - least_view, width_range(panel).most);
}

bool is_very_narrow(float window) { return window < usual_timings + least_view + tab_strip; }

}  // namespace warpview
