// Pictures that kernels made, over the whole view and behind all else: kind `image`.
#include <array>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"

namespace warpview {
namespace {

enum Uniform : GLint { size_at = 0 };
constexpr GLuint pixels_binding = 3;

class ImageLayer final : public Layer {
 public:
  ImageLayer()
      : program_(link_program({"image.vert", "image.frag"})),
        no_attributes_(create_gl_vertex_array()) {}

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::image};
    return one;
  }

  // Its alpha shows what lies behind it; it occludes nothing.
  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA,
                        drawing.transparent ? GL_ONE : GL_ZERO,
                        drawing.transparent ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE);
    glUseProgram(program_.get());
    glBindVertexArray(no_attributes_.get());
    for (const DrawnOutput* output : outputs) {
      const auto size = style_as<ImageStyle>(output->style);
      if (size.width < 1 || size.height < 1) continue;
      glProgramUniform2i(program_.get(), size_at, static_cast<GLint>(size.width),
                         static_cast<GLint>(size.height));
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, pixels_binding, output->buffers[0]);
      drawing.arrays(GL_TRIANGLES, *output);
    }
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
  }

 private:
  GlProgram program_;
  GlVertexArray no_attributes_;
};

}  // namespace

std::unique_ptr<Layer> make_image_layer() { return std::make_unique<ImageLayer>(); }

}  // namespace warpview
