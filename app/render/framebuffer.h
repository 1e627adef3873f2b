// The offscreen picture that every pass draws into.
#pragma once

#include "app/render/screenshot.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// What a framebuffer of OpenGL holds (0: the window's, before it is shown), opaque; waits for GL.
Picture read_framebuffer(GLuint framebuffer, int width, int height);

// Colour (RGBA8, holding sRGB-encoded values) and depth of one size. With `samples` > 1 drawing is
// multisampled and `resolve` averages it.
class Framebuffer {
 public:
  static constexpr int usual_samples = 4;  // which every OpenGL 4.5 has

  // Error when the size is not positive or larger than GL takes. `samples` is lowered to what GL
  // has.
  Framebuffer(int width, int height, int samples = usual_samples);

  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return samples_; }

  void bind() const;  // for drawing, with the viewport on all of it
  // The same, in place of drawing and resolving: each pixel of the picture once.
  void bind_resolved() const;
  // To be called after drawing and before the picture is used.
  void resolve() const;
  // The resolved picture, drawn into `framebuffer` (0: the window) with its lower left at (x, y).
  void blit_to(GLuint framebuffer, int x = 0, int y = 0) const;
  GLuint texture() const { return picture_.get(); }  // resolved; GL_TEXTURE_2D
  Picture read_back() const;                         // resolved; waits for GL
  // What was drawn last: GL_TEXTURE_2D_MULTISAMPLE with more than one sample, else GL_TEXTURE_2D.
  GLuint depth_texture() const { return depth_.get(); }

 private:
  int width_;
  int height_;
  int samples_;
  GlTexture picture_;
  GlRenderbuffer multisampled_;  // none with one sample: drawing goes to picture_
  GlTexture depth_;
  GlFramebuffer drawing_;
  GlFramebuffer resolved_;
};

}  // namespace warpview
