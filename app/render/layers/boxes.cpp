// Boxes as their twelve edges: kind `boxes`. What kernels append in no fixed order is blended in
// one colour, so order does not show.
#include <array>
#include <cstddef>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vec.h"

namespace warpview {
namespace {

enum Uniform : GLint { opacity_at = 0, level_at, is_path_at, command_at };

class BoxesLayer final : public Layer {
 public:
  BoxesLayer()
      : program_(link_program({"boxes.vert", "line.geom", "line.frag"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), 0, 3, offsetof(Aabb, min));
    add_attribute(layout_.get(), 1, 3, offsetof(Aabb, max));
    glVertexArrayBindingDivisor(layout_.get(), 0, 1);
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::boxes};
    return one;
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glUseProgram(program_.get());
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      const auto style = style_as<BoxStyle>(output->style);
      glProgramUniform1i(program_.get(), level_at, static_cast<GLint>(style.level));
      glProgramUniform1i(program_.get(), is_path_at, style.is_path ? 1 : 0);
      glProgramUniform1i(program_.get(), command_at, static_cast<GLint>(output->command));
      glVertexArrayVertexBuffer(layout_.get(), 0, output->buffers[0], 0, sizeof(Aabb));
      draw_before_and_behind(program_.get(), opacity_at, 0.85F, 0.09F,
                             [&] { drawing.arrays(GL_LINES, *output); });
    }
  }

 private:
  GlProgram program_;
  GlVertexArray layout_;
};

}  // namespace

std::unique_ptr<Layer> make_boxes_layer() { return std::make_unique<BoxesLayer>(); }

}  // namespace warpview
