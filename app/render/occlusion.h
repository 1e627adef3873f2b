// Ambient occlusion from the depth of a picture: creases, and places that bodies come close to, get
// less light from around them.
#pragma once

#include "app/render/framebuffer.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// Needs the frame's uniform block bound, blending off and the depth test on; leaves both so,
// whatever program and vertex array.
class Occlusion {
 public:
  Occlusion();

  // Darkens what is drawn in the target, which stays bound. Alpha stays.
  void draw(const Framebuffer& target);

 private:
  void fit(int width, int height);

  GlProgram find_, find_in_samples_, blur_, apply_;
  GlVertexArray no_attributes_;
  int width_ = 0;  // of the textures: half of the picture's
  int height_ = 0;
  GlTexture found_, smooth_;
  GlFramebuffer into_found_, into_smooth_;
};

}  // namespace warpview
