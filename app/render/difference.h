// Draws the difference of two pictures.
#pragma once

#include "app/render/framebuffer.h"
#include "app/render/screenshot.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// Needs an OpenGL 4.5 context, current here and at every later call.
class DifferenceRenderer {
 public:
  DifferenceRenderer();

  // Draws `gain` times the absolute difference of each colour of two pictures of the target's size,
  // black where they are equal: the picture, as it is after resolve(). Waits for GL.
  PictureDifference draw(const Framebuffer& target, const Framebuffer& a, const Framebuffer& b,
                         int gain);

 private:
  GlProgram program_;
  GlVertexArray no_attributes_;
  GlBuffer found_;
};

}  // namespace warpview
