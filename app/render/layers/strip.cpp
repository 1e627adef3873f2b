// A line through many places, coloured from its start (blue) to its end (red): kind `strip`.
#include <array>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vec.h"

namespace warpview {
namespace {

enum Uniform : GLint { opacity_at = 0, command_at };

class StripLayer final : public Layer {
 public:
  StripLayer()
      : program_(link_program({"curve.vert", "line.geom", "line.frag"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), 0, 3, 0);
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::strip};
    return one;
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glUseProgram(program_.get());
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      glProgramUniform1i(program_.get(), command_at, static_cast<GLint>(output->command));
      glVertexArrayVertexBuffer(layout_.get(), 0, output->buffers[0], 0, sizeof(Vec3));
      draw_before_and_behind(program_.get(), opacity_at, 0.95F, 0.12F,
                             [&] { drawing.arrays(GL_LINE_STRIP, *output); });
    }
  }

 private:
  GlProgram program_;
  GlVertexArray layout_;
};

}  // namespace

std::unique_ptr<Layer> make_strip_layer() { return std::make_unique<StripLayer>(); }

}  // namespace warpview
