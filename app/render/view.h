// What a picture is drawn of, and from where.
#pragma once

#include <vector>

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

  bool has_area() const { return width > 0 && height > 0; }
  bool operator==(const View&) const = default;
};

// The view for scenes that make pictures themselves.
FrameView frame_view(const View& view);

}  // namespace warpview
