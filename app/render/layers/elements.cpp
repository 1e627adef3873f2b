// Points and lines that a file has beside its triangles: kinds `dots` and `lines`. They are bodies:
// what is nearer hides what is farther.
#include <array>
#include <cstddef>
#include <cstdint>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vertex.h"

namespace warpview {
namespace {

enum DotUniform : GLint { command_at = 0 };
enum LineUniform : GLint { opacity_at = 0 };
enum Attribute : GLuint { position_attribute = 0, colour_attribute };
enum Binding : GLuint { vertex_binding = 0, colour_binding };

class ElementsLayer final : public Layer {
 public:
  ElementsLayer()
      : dots_(link_program({"points.vert", "points.geom", "points.frag"}, {"COLOURED"})),
        lines_(link_program({"lines.vert", "line.geom", "line.frag"}, {"BODY"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), position_attribute, 3, offsetof(Vertex, position));
    glEnableVertexArrayAttrib(layout_.get(), colour_attribute);
    glVertexArrayAttribFormat(layout_.get(), colour_attribute, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0);
    glVertexArrayAttribBinding(layout_.get(), colour_attribute, colour_binding);
    glProgramUniform1f(lines_.get(), opacity_at, 1.0F);
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array both = {OutputKind::dots, OutputKind::lines};
    return both;
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      const bool are_dots = output->kind == OutputKind::dots;
      glUseProgram(are_dots ? dots_.get() : lines_.get());
      if (are_dots)
        glProgramUniform1i(dots_.get(), command_at, static_cast<GLint>(output->command));
      glVertexArrayVertexBuffer(layout_.get(), vertex_binding, output->buffers[0], 0,
                                sizeof(Vertex));
      glVertexArrayVertexBuffer(layout_.get(), colour_binding, output->buffers[1], 0,
                                sizeof(std::uint32_t));
      drawing.arrays(are_dots ? GL_POINTS : GL_LINES, *output);
    }
  }

 private:
  GlProgram dots_, lines_;
  GlVertexArray layout_;
};

}  // namespace

std::unique_ptr<Layer> make_elements_layer() { return std::make_unique<ElementsLayer>(); }

}  // namespace warpview
