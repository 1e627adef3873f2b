// Draws the outputs of a scene straight from GL buffers: what each pass shares, and the order of
// the layers.
#pragma once

#include <memory>
#include <vector>

#include "app/render/camera.h"
#include "app/render/framebuffer.h"
#include "app/render/ground.h"
#include "app/render/layers/layer.h"
#include "app/render/look.h"
#include "app/render/occlusion.h"
#include "app/render/options.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// The picture depends on its arguments alone and hardly on the driver: lines and points are drawn
// as quads with their own coverage, mipmaps are made on the host, and nothing varies with time.
//
// On a software rasteriser, which all contexts of a process share, drawing goes in slices with a
// pause after each: a window that only shows finished pictures then waits for a slice at most.
// After each slice there is an interruption_point(), where a picture may be given up.
class Renderer {
 public:
  // Needs an OpenGL 4.5 context, current here and at every later call.
  Renderer();
  ~Renderer();

  // Error when a material names an image that is not there, or memory does not suffice; what was
  // set before then stays.
  void set_look(const SurfaceLook& look);

  // Draws the whole picture into `target` and resolves it: the background alone where `commands`,
  // the buffer of draw commands, is 0. What `cut` cuts
  // off is not drawn and throws no shadow. Without a background a pixel's alpha is the share of it
  // that something covers, and its colour is multiplied by that; there is no ground then. There is
  // one where something that stands on it is drawn and the eye is above it. Sets every piece of GL
  // state that it relies on; leaves no program, vertex array or blending behind.
  void draw(const Framebuffer& target, const Camera& camera,
            const std::vector<DrawnOutput>& outputs, GLuint commands, const RenderOptions& options,
            const CutPlane& cut = {});

  // Columns of the picture, from the left: the first, and the one behind the last.
  struct Columns {
    int begin = 0;
    int end = 0;
  };
  // draw() of these columns alone, whose pixels are those of the whole picture but at their edges.
  // Does not resolve it.
  void draw_columns(Columns columns, const Framebuffer& target, const Camera& camera,
                    const std::vector<DrawnOutput>& outputs, GLuint commands,
                    const RenderOptions& options, const CutPlane& cut = {});

  bool draws_in_slices() const { return in_slices_; }
  // Texels a side, as the last picture had it: a small picture has a small one.
  int shadow_side() const { return shadow_side_; }
  // In slices or not, whatever the rasteriser.
  void draw_in_slices(bool wanted) { in_slices_ = wanted; }

 private:
  void draw_background(const RenderOptions& options);
  void fit_shadow_map(int side);

  std::vector<std::unique_ptr<Layer>> layers_;
  GlProgram backdrop_, horizon_;
  Ground ground_;
  Occlusion occlusion_;
  GlVertexArray no_attributes_;
  GlBuffer frame_;
  GlTexture shadow_map_;
  int shadow_side_ = 0;  // texels
  GlFramebuffer shadow_target_;
  bool in_slices_ = false;
};

}  // namespace warpview
