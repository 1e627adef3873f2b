// Triangles, lit and with shadows, and their edges: kinds `surface` and `edges`.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include <stb_image_resize.h>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/vertex.h"

namespace warpview {
namespace {

// Binding points and uniform locations, as the shaders number them.
enum StorageBinding : GLuint { materials_binding = 0, triangle_material_binding };
constexpr GLuint textures_unit = 0;
constexpr GLuint shadow_map_unit = 1;
enum Uniform : GLint { material_count_at = 0, dimmed_at, lit_at, first_triangle_at };

Picture resized(const Picture& image, int width, int height) {
  Picture result{width, height, {}};
  result.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  constexpr int channels = 4;
  constexpr int alpha_channel = 3;
  if (stbir_resize_uint8_srgb(image.rgba.data(), image.width, image.height, 0, result.rgba.data(),
                              width, height, 0, channels, alpha_channel, 0) == 0)
    throw Error("resizing an image to " + std::to_string(width) + " x " + std::to_string(height),
                "there is not enough memory", "Use smaller textures");
  return result;
}

// Layers of one size with mipmaps, sRGB-encoded. Mipmaps are made here, so that the picture does
// not depend on the driver.
GlTexture create_texture_array(std::span<const Picture> images) {
  constexpr int largest = 2048;
  int width = 1;
  int height = 1;
  for (const Picture& image : images) {
    width = std::clamp(image.width, width, largest);
    height = std::clamp(image.height, height, largest);
  }
  const auto levels =
      static_cast<GLsizei>(std::bit_width(static_cast<unsigned>(std::max(width, height))));
  const auto layers = static_cast<GLsizei>(std::max<std::size_t>(images.size(), 1));

  GlTexture array = create_gl_texture(GL_TEXTURE_2D_ARRAY);
  glTextureStorage3D(array.get(), levels, GL_SRGB8_ALPHA8, width, height, layers);
  glTextureParameteri(array.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(array.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(array.get(), GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(array.get(), GL_TEXTURE_WRAP_T, GL_REPEAT);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (std::size_t layer = 0; layer < images.size(); ++layer) {
    for (int level = 0; level < levels; ++level) {
      const Picture mip =
          resized(images[layer], std::max(width >> level, 1), std::max(height >> level, 1));
      glTextureSubImage3D(array.get(), level, 0, 0, static_cast<GLint>(layer), mip.width,
                          mip.height, 1, GL_RGBA, GL_UNSIGNED_BYTE, mip.rgba.data());
    }
  }
  return array;
}

class SurfaceLayer final : public Layer {
 public:
  SurfaceLayer()
      : shadow_(link_program({"shadow.vert"})),
        plain_(link_program({"mesh.vert", "mesh.frag"})),
        with_edges_(link_program({"mesh.vert", "wire.geom", "mesh.frag"}, {"WIRE"})),
        layout_(create_gl_vertex_array()) {
    add_attribute(layout_.get(), 0, 3, offsetof(Vertex, position));
    add_attribute(layout_.get(), 1, 3, offsetof(Vertex, normal));
    add_attribute(layout_.get(), 2, 2, offsetof(Vertex, texcoord));
    set_look({});
  }

  std::span<const OutputKind> kinds() const override {
    static constexpr std::array both = {OutputKind::surface, OutputKind::edges};
    return both;
  }

  void set_look(const SurfaceLook& look) override {
    const Surface default_material;
    std::span<const Surface> materials = look.materials;
    if (materials.empty()) materials = {&default_material, 1};
    for (const Surface& material : materials)
      if (material.texture >= static_cast<std::int64_t>(look.images.size()))
        throw Error("material with image " + std::to_string(material.texture),
                    "there are " + std::to_string(look.images.size()) + " images",
                    "Give every image that a material names");
    GlTexture textures = create_texture_array(look.images);
    GlBuffer buffer = create_gl_buffer();
    glNamedBufferStorage(buffer.get(), static_cast<GLsizeiptr>(materials.size_bytes()),
                         materials.data(), 0);
    textures_ = std::move(textures);
    materials_ = std::move(buffer);
    material_count_ = static_cast<GLuint>(materials.size());
  }

  void draw_shadow(const Drawing& drawing,
                   const std::vector<const DrawnOutput*>& outputs) override {
    glUseProgram(shadow_.get());
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      if (output->kind != OutputKind::surface) continue;
      bind(*output);
      drawing.elements(GL_TRIANGLES, *output, shadow_.get());
    }
  }

  // A surface and the edges over it are drawn in one pass; edges alone over a dark body that hides
  // those behind.
  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, materials_binding, materials_.get());
    glBindTextureUnit(textures_unit, textures_.get());
    glBindSampler(textures_unit, 0);
    glBindTextureUnit(shadow_map_unit, drawing.shadow_map);
    glBindSampler(shadow_map_unit, 0);
    glBindVertexArray(layout_.get());
    const auto shown = [&outputs](OutputKind kind, const std::vector<GLuint>& buffers) {
      return std::any_of(outputs.begin(), outputs.end(), [&](const DrawnOutput* other) {
        return other->kind == kind && other->buffers == buffers;
      });
    };
    for (const DrawnOutput* output : outputs) {
      const bool is_lit = shown(OutputKind::surface, output->buffers);
      if (output->kind == OutputKind::edges && is_lit) continue;  // drawn with its surface
      const bool has_edges = shown(OutputKind::edges, output->buffers);
      draw_one(drawing, *output, is_lit, has_edges);
    }
  }

 private:
  void bind(const DrawnOutput& output) {
    glVertexArrayVertexBuffer(layout_.get(), 0, output.buffers[0], 0, sizeof(Vertex));
    glVertexArrayElementBuffer(layout_.get(), output.buffers[1]);
  }

  void draw_one(const Drawing& drawing, const DrawnOutput& output, bool is_lit, bool has_edges) {
    const GLuint program = has_edges ? with_edges_.get() : plain_.get();
    const GLuint material = output.buffers[2];
    glProgramUniform1ui(program, material_count_at, material_count_);
    glProgramUniform1f(program, dimmed_at, drawing.dimmed ? 1.0F : 0.0F);
    glProgramUniform1i(program, lit_at, is_lit ? 1 : 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, triangle_material_binding, material);
    glUseProgram(program);
    bind(output);
    drawing.elements(GL_TRIANGLES, output, program, first_triangle_at);
  }

  GlProgram shadow_, plain_, with_edges_;
  GlVertexArray layout_;
  GlBuffer materials_;
  GLuint material_count_ = 0;
  GlTexture textures_;
};

}  // namespace

std::unique_ptr<Layer> make_surface_layer() { return std::make_unique<SurfaceLayer>(); }

}  // namespace warpview
