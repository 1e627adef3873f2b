// Triangles, lit and with shadows, and their edges: kinds `surface` and `edges`.
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/vertex.h"

namespace warpview {
namespace {

// Binding points and uniform locations, as the shaders number them.
enum StorageBinding : GLuint {
  materials_binding = 0,
  triangle_material_binding,
  corner_colours_binding = 4,
  triangle_values_binding
};
constexpr GLuint shadow_map_unit = 1;
constexpr GLuint first_texture_unit = 2;
enum Uniform : GLint { material_count_at = 0, dimmed_at, first_triangle_at };

// Earlier errors must not be taken for those of what follows.
void clear_gl_errors() {
  while (glGetError() != GL_NO_ERROR) {
  }
}

// Error if anything went wrong since clear_gl_errors().
void check_gl(const std::string& asked) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string renderer = name != nullptr ? name : "OpenGL";
  throw Error(asked,
              error == GL_OUT_OF_MEMORY
                  ? renderer + " has no memory for it"
                  : fmt::format("{} refuses it (error {:#x})", renderer, error),
              "Use smaller textures, or fewer of them");
}

GlTexture create_texture_array(const TextureArray& images) {
  const auto layers = static_cast<GLsizei>(std::max<std::size_t>(images.layers.size(), 1));
  const std::string asked = fmt::format("{} textures of {} x {} pixels", images.layers.size(),
                                        images.width, images.height);
  GLint most_layers = 0;
  glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most_layers);
  if (layers > most_layers)
    throw Error(asked, fmt::format("this OpenGL takes {} of one size", most_layers),
                "Use fewer textures");
  clear_gl_errors();
  GlTexture array = create_gl_texture(GL_TEXTURE_2D_ARRAY);
  glTextureStorage3D(array.get(), images.levels(), GL_SRGB8_ALPHA8, images.width, images.height,
                     layers);
  check_gl(asked);
  glTextureParameteri(array.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(array.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(array.get(), GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(array.get(), GL_TEXTURE_WRAP_T, GL_REPEAT);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (std::size_t layer = 0; layer < images.layers.size(); ++layer) {
    // Some drivers promise any amount of memory, and find out here.
    if (images.layers[layer].empty())
      throw Error(asked, "one of them is empty", "Pass the pixels of each");
    const std::uint8_t* pixels = images.layers[layer].data();
    for (int level = 0; level < images.levels(); ++level) {
      const int width = std::max(images.width >> level, 1);
      const int height = std::max(images.height >> level, 1);
      glTextureSubImage3D(array.get(), level, 0, 0, static_cast<GLint>(layer), width, height, 1,
                          GL_RGBA, GL_UNSIGNED_BYTE, pixels);
      pixels += std::size_t{4} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
  }
  check_gl(asked);
  return array;
}

// The materials, with the places of their textures.
std::vector<Surface> placed(const SurfaceLook& look) {
  std::vector<Surface> materials = look.materials;
  if (materials.empty()) materials.resize(1);
  const std::vector<TextureArrays::Place>& places = look.images.places;
  for (Surface& material : materials) {
    if (material.texture >= static_cast<std::int64_t>(places.size()))
      throw Error("material with image " + std::to_string(material.texture),
                  "there are " + std::to_string(places.size()) + " images",
                  "Pass every image that a material names");
    if (material.texture < 0) continue;
    const auto [array, layer] = places[static_cast<std::size_t>(material.texture)];
    material.array = array;
    material.layer = layer;
  }
  return materials;
}

class SurfaceLayer final : public Layer {
 public:
  SurfaceLayer() : shadow_(link_program({"shadow.vert"})), layout_(create_gl_vertex_array()) {
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
    const std::vector<Surface> materials = placed(look);
    std::vector<GlTexture> textures;
    for (const TextureArray& images : look.images.arrays)
      textures.push_back(create_texture_array(images));
    const std::span<const Surface> items(materials);
    clear_gl_errors();
    GlBuffer buffer = create_gl_buffer();
    glNamedBufferStorage(buffer.get(), static_cast<GLsizeiptr>(items.size_bytes()), items.data(),
                         0);
    check_gl(fmt::format("{} materials", materials.size()));
    if (textures.size() != textures_.size()) programs_.clear();
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
    for (std::size_t i = 0; i < textures_.size(); ++i) {
      const GLuint unit = first_texture_unit + static_cast<GLuint>(i);
      glBindTextureUnit(unit, textures_[i].get());
      glBindSampler(unit, 0);
    }
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
  // What a program is made for.
  struct Form {
    bool has_edges, is_coloured, is_coarse, is_lit;
    Colouring colouring;
    // NOLINTNEXTLINE(modernize-use-nullptr): of the compared 0
    auto operator<=>(const Form&) const = default;
  };

  // Linked when it is first drawn.
  GLuint program(const Form& form) {
    GlProgram& program = programs_[form];
    if (program) return program.get();
    const std::string arrays = fmt::format("TEXTURE_ARRAYS {}", textures_.size());
    const std::string colouring = fmt::format("COLOURING {}", static_cast<int>(form.colouring));
    const char* const coarse = form.is_coarse ? "COARSE" : "";
    const char* const lit = form.is_lit ? "LIT" : "";
    if (!form.has_edges && !form.is_coloured)
      program = link_program({"mesh.vert", "mesh.frag"}, {arrays, colouring, coarse, lit});
    else
      program = link_program({"mesh.vert", "wire.geom", "mesh.frag"},
                             {arrays, colouring, coarse, lit, form.has_edges ? "WIRE" : "",
                              form.is_coloured ? "COLOURED" : ""});
    return program.get();
  }

  void bind(const DrawnOutput& output) {
    glVertexArrayVertexBuffer(layout_.get(), 0, output.buffers[0], 0, sizeof(Vertex));
    glVertexArrayElementBuffer(layout_.get(), output.buffers[1]);
  }

  void draw_one(const Drawing& drawing, const DrawnOutput& output, bool is_lit, bool has_edges) {
    const auto style = style_as<SurfaceStyle>(output.style);
    const bool is_coloured = style.has_colours;
    const GLuint program =
        this->program({has_edges, is_coloured, drawing.coarse, is_lit, style.colouring});
    const GLuint material = output.buffers[2];
    glProgramUniform1ui(program, material_count_at, material_count_);
    glProgramUniform1f(program, dimmed_at, drawing.dimmed ? 1.0F : 0.0F);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, triangle_material_binding, material);
    if (is_coloured)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, corner_colours_binding, output.buffers[3]);
    if (output.buffers.size() > 4)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, triangle_values_binding, output.buffers[4]);
    glUseProgram(program);
    bind(output);
    drawing.elements(GL_TRIANGLES, output, program, first_triangle_at);
  }

  GlProgram shadow_;
  std::map<Form, GlProgram> programs_;
  GlVertexArray layout_;
  GlBuffer materials_;
  GLuint material_count_ = 0;
  std::vector<GlTexture> textures_;
};

}  // namespace

std::unique_ptr<Layer> make_surface_layer() { return std::make_unique<SurfaceLayer>(); }

}  // namespace warpview
