// A layer draws the outputs of one kind (or of kinds that are drawn together). Adding one is its
// shaders and a row of the table in marks.cpp; or, where it needs code of its own, a file here and
// a row in layers.def.
#pragma once

#include <glad/gl.h>

#include <memory>
#include <span>
#include <vector>

#include "app/render/look.h"
#include "gpu/interop/draw_command.h"
#include "gpu/interop/gl_handle.h"
#include "scenes/scene.h"

namespace warpview {

// An output with what a scene left of it.
struct DrawnOutput {
  OutputKind kind{};
  std::vector<GLuint> buffers;  // by Output::streams
  std::size_t command = 0;      // index into the buffer of draw commands
  DrawCommand drawn{};          // that command, as the host knows it
  OutputStyle style{};
  bool dims_surfaces = true;  // if it lies over the surfaces
};

// What the layers know of the picture beside shaders/frame.glsl. The buffer of draw commands is
// bound for indirect draws, and as the shader storage block of binding 2.
struct Drawing {
  bool dimmed = false;       // something is drawn over the surfaces: they are its stage
  bool shadows = true;       // does the shadow map hold any?
  bool transparent = false;  // there is no background: what is drawn is laid over one later
  bool coarse = false;       // seen for a moment: it may be simpler where that is quicker
  bool in_slices = false;    // draw little at a time, so that other contexts get their turn
  GLuint shadow_map = 0;

  // Draws what the output's command says. Vertex arrays and programs are the caller's. `slice` is
  // the location of an int uniform that tells the shader which primitive (or instance) comes first;
  // -1: it need not know.
  void elements(GLenum mode, const DrawnOutput& output, GLuint program, GLint slice = -1) const;
  void arrays(GLenum mode, const DrawnOutput& output) const;
};

// All calls need the renderer's context to be current.
class Layer {
 public:
  virtual ~Layer() = default;

  virtual std::span<const OutputKind> kinds() const = 0;
  // Drawn over dimmed surfaces, blended, hiding nothing? Else it is a body: it fills the depth
  // buffer and throws shadows.
  bool is_overlay() const { return warpview::is_overlay(kinds().front()); }
  // What the scene is made of has changed. Error when it does not fit.
  virtual void set_look(const SurfaceLook& /*look*/) {}
  // Depth of the bodies as the key light sees them.
  virtual void draw_shadow(const Drawing& /*drawing*/,
                           const std::vector<const DrawnOutput*>& /*outputs*/) {}
  // All shown outputs of its kinds, at least one.
  virtual void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) = 0;
};

// The rows of layers.def, then those of marks.cpp: bodies first.
std::vector<std::unique_ptr<Layer>> make_layers();

// --- for layers, and for what is drawn between them

// Ends a slice: other contexts get their turn, and the picture may be given up.
void end_slice();

// The rows of marks.cpp.
std::vector<std::unique_ptr<Layer>> make_mark_layers();

// A float attribute of `components` at `offset` of binding 0.
void add_attribute(GLuint layout, GLuint location, GLint components, std::size_t offset);

}  // namespace warpview
