// Round points: kind `points`.
#include <array>
#include <cstddef>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vertex.h"

namespace warpview {
namespace {

constexpr GLint command_at = 0;

class PointsLayer final : public Layer {
 public:
  PointsLayer()
      : program_(link_program({"points.vert", "points.geom", "points.frag"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), 0, 3, offsetof(Vertex, position));
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::points};
    return one;
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glUseProgram(program_.get());
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      glProgramUniform1i(program_.get(), command_at, static_cast<GLint>(output->command));
      glVertexArrayVertexBuffer(layout_.get(), 0, output->buffers[0], 0, sizeof(Vertex));
      drawing.arrays(GL_POINTS, *output);
    }
  }

 private:
  GlProgram program_;
  GlVertexArray layout_;
};

}  // namespace

std::unique_ptr<Layer> make_points_layer() { return std::make_unique<PointsLayer>(); }

}  // namespace warpview
