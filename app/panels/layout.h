// Which panels stand beside the picture, and how wide: arithmetic alone, in ems, the height of the
// panels' letters, so that it comes out the same at every scale.
#pragma once

namespace warpview {

enum class Panel { scene, timings, laboratory };

struct WidthRange {
  float least = 0.0F;
  float most = 0.0F;
};
// What a panel may be dragged to, whatever the window has room for.
WidthRange width_range(Panel panel);

struct LayoutWishes {
  float window = 0.0F;      // its width
  bool scene = true;        // is the panel wanted?
  bool timings = true;      // the same
  bool laboratory = false;  // then the other two make way for it
  bool no_view = false;     // and so does the view
  // Where there is no room for both beside a picture: the one that is shown, unless both are folded
  // away.
  Panel front = Panel::timings;
  bool folded = false;
  // As the user has dragged them; 0: as usual.
  float scene_width = 0.0F;
  float timings_width = 0.0F;
  float laboratory_width = 0.0F;
};

struct Layout {
  // Widths from left to right, which add up to the window's; 0: it is not there. With tabs the
  // panel that is open stands at the right of the view, whichever it is.
  float scene = 0.0F;
  float view = 0.0F;
  float timings = 0.0F;
  float laboratory = 0.0F;
  float tabs = 0.0F;  // a strip at the right edge that has a tab for each panel
};

Layout lay_out(const LayoutWishes& wishes);

// Does the laboratory leave a view in a window so wide?
bool has_room_beside_laboratory(float window);

float width_of(const Layout& layout, Panel panel);
// How wide a panel of the layout can be dragged: until the view has its least room. Where there is
// no view it cannot.
float most_width(const Layout& layout, Panel panel);

// A window in which a panel that is open may cover the view.
bool is_very_narrow(float window);

}  // namespace warpview
