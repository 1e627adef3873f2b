// Spheres that no triangle makes: each is a quad whose pixels find out where the sphere is behind
// them. Kind `spheres`.
#include <array>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"

namespace warpview {
namespace {

enum Uniform : GLint { radius_at = 0, palette_at };
constexpr GLuint spheres_binding = 3;
constexpr GLuint shadow_map_unit = 1;

class SpheresLayer final : public Layer {
 public:
  SpheresLayer()
      : lit_(link_program({"spheres.vert", "spheres.frag"})),
        coarse_(link_program({"spheres.vert", "spheres.frag"}, {"COARSE"})),
        shadow_(link_program({"spheres.vert", "spheres.frag"}, {"SHADOW"})),
        no_attributes_(create_gl_vertex_array()) {}

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array one = {OutputKind::spheres};
    return one;
  }

  void draw_shadow(const Drawing& drawing,
                   const std::vector<const DrawnOutput*>& outputs) override {
    draw_all(shadow_.get(), drawing, outputs);
  }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glBindTextureUnit(shadow_map_unit, drawing.shadow_map);
    glBindSampler(shadow_map_unit, 0);
    draw_all(drawing.coarse ? coarse_.get() : lit_.get(), drawing, outputs);
  }

 private:
  void draw_all(GLuint program, const Drawing& drawing,
                const std::vector<const DrawnOutput*>& outputs) {
    glUseProgram(program);
    glBindVertexArray(no_attributes_.get());
    for (const DrawnOutput* output : outputs) {
      const auto style = style_as<SphereStyle>(output->style);
      glProgramUniform1f(program, radius_at, style.radius);
      if (program != shadow_.get()) glProgramUniform1i(program, palette_at, style.has_hues ? 1 : 0);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, spheres_binding, output->buffers[0]);
      drawing.arrays(GL_TRIANGLES, *output);
    }
  }

  GlProgram lit_, coarse_, shadow_;
  GlVertexArray no_attributes_;
};

}  // namespace

std::unique_ptr<Layer> make_spheres_layer() { return std::make_unique<SpheresLayer>(); }

}  // namespace warpview
