// What a picture is drawn of, and from where.
#pragma once

#include <cstdint>
#include <vector>

#include "app/render/ab_view.h"
#include "app/render/camera.h"
#include "app/render/options.h"
#include "scenes/scene.h"

namespace warpview {

// What a picture is drawn of.
struct View {
  Camera camera;
  RenderOptions options;
  std::vector<bool> shown;  // by output; outputs beyond its end are hidden
  int width = 0;            // pixels; 0: nothing is drawn
  int height = 0;
  AbView ab{};
  // What A has of its own beside what RenderThread::keep() kept.
  struct A {
    RenderOptions look;       // what look_switches switch
    std::uint64_t scene = 0;  // number of the scene that A is seen beside; with others B is alone
    bool operator==(const A&) const = default;
  };
  A a{};

  bool has_area() const { return width > 0 && height > 0; }
  bool operator==(const View&) const = default;
};

// The view for scenes that make pictures themselves.
FrameView frame_view(const View& view);

}  // namespace warpview
