// Triangles that are lit up: kind `marked`. An outline of constant width, so that one of less than
// a pixel is seen too.
#include <array>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vec.h"

namespace warpview {
namespace {

enum Uniform : GLint { opacity_at = 0 };

class MarkedLayer final : public Layer {
 public:
  MarkedLayer()
      : fill_(link_program({"marked.vert", "marked.frag"}, {"FILL"})),
        outline_(link_program({"marked.vert", "line.geom", "line.frag"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), 0, 3, 0);
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::marked};
    return one;
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      glVertexArrayVertexBuffer(layout_.get(), 0, output->buffers[0], 0, sizeof(Vec3));
      glUseProgram(fill_.get());
      draw_before_and_behind(fill_.get(), opacity_at, 1.0F, 0.25F,
                             [&] { drawing.arrays(GL_TRIANGLES, *output); });
      glUseProgram(outline_.get());
      draw_before_and_behind(outline_.get(), opacity_at, 1.0F, 0.35F,
                             [&] { drawing.arrays(GL_LINE_LOOP, *output); });
    }
  }

 private:
  GlProgram fill_, outline_;
  GlVertexArray layout_;
};

}  // namespace

std::unique_ptr<Layer> make_marked_layer() { return std::make_unique<MarkedLayer>(); }

}  // namespace warpview
