// Dear ImGui on OpenGL, in a window or without one.
#pragma once

#include <filesystem>
#include <string>

#include "app/panels/letters.h"
#include "app/panels/panels.h"
#include "app/panels/style.h"

namespace warpview {

// Owns ImGui's context and its OpenGL renderer. The OpenGL context of the constructor must be
// current at every call and at destruction. A frame goes
//
//     layer.begin_frame();            // a window's backend has set ImGui's size, time and input
//     draw_panels(...);
//     layer.show_picture(...);
//     layer.end_frame();              // draws into the framebuffer that is bound
class ImguiLayer {
 public:
  // ImGui keeps the places of its windows in `layout_file`; empty: it forgets them.
  // UnavailableError when ImGui finds no OpenGL.
  explicit ImguiLayer(const std::filesystem::path& layout_file = {});
  ~ImguiLayer();
  ImguiLayer(const ImguiLayer&) = delete;
  ImguiLayer& operator=(const ImguiLayer&) = delete;

  // See load_fonts(). Between frames; does nothing when neither number has changed.
  void set_scale(float scale, float density);
  // Between frames.
  void set_theme(Theme theme);
  const Fonts& fonts() const { return fonts_; }

  // Where there is no window: its size and the time since the last frame.
  void set_display(int width, int height, double seconds);

  // Letters that were met in the last frame have their glyphs in this one, and fonts() then are
  // others.
  void begin_frame();
  // Were letters met that the next frame has glyphs for?
  bool has_new_letters() const { return letters_.has_news(); }
  // The OpenGL texture, drawn behind all panels, upright. It has so many pixels; one of another
  // shape than the view's is as high as the view, and cut at both sides or with bars beside it: the
  // camera sees the same height whatever the width.
  void show_picture(unsigned texture, int width, int height, const Area& view);
  void end_frame();

 private:
  void use_fonts();
  void make_texture() const;

  std::string layout_file_;  // ImGui keeps a pointer to it
  MachineFonts machine_fonts_;
  Letters letters_;
  Fonts fonts_;
  Theme theme_ = Theme::dark;
  float scale_ = 0.0F;
  float density_ = 0.0F;
  bool has_begun_ = false;
};

}  // namespace warpview
