// The ground that a scene stands on: a plane that fades out, with the shadow of the bodies.
#pragma once

#include "app/render/framebuffer.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// Its calls need the frame's uniform block bound, blending off and the depth test on; they leave
// both so, whatever program and vertex array.
class Ground {
 public:
  Ground();

  // What of the ground lies in the shadow of the bodies: from the shadow map, of `side` texels.
  void take_shadow(GLuint shadow_map, int side);
  // Into the framebuffer that is bound, behind the bodies that are in it. It hides what lies below
  // it. With the shadow that was taken last, or none.
  void draw(bool has_shadow) const;

 private:
  void fit(int side);
  void blur(const GlTexture& from, const GlFramebuffer& into, float right, float up) const;

  void draw_with(const GlProgram& program, GLenum mode, GLsizei vertices) const;

  GlProgram plane_, shaded_, gather_, blur_;
  GlVertexArray no_attributes_;
  int side_ = 0;  // texels of the textures
  GlTexture hard_, half_, soft_;
  GlFramebuffer into_hard_, into_half_, into_soft_;
};

}  // namespace warpview
