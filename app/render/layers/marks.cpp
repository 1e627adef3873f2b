// Lines, points and triangles that are drawn as they lie in their streams: kinds `dots`, `lines`,
// `boxes`, `strip`, `points` and `marked`. A row of the table says how.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/gl/program.h"
#include "app/render/layers/layer.h"
#include "gpu/runtime/vec.h"
#include "gpu/runtime/vertex.h"

namespace warpview {
namespace {

// An input of the vertex shader. Its location is its place in the row.
struct Attribute {
  GLint components = 0;    // 0: there is none
  std::size_t stream = 0;  // of the output
  std::size_t element_bytes = 0;
  std::size_t offset = 0;  // in the element
  GLenum type = GL_FLOAT;  // bytes are 0 to 1
};

constexpr Attribute vertex_position = {3, 0, sizeof(Vertex), offsetof(Vertex, position)};
constexpr Attribute element_colour = {4, 1, sizeof(std::uint32_t), 0, GL_UNSIGNED_BYTE};
constexpr Attribute place = {3, 0, sizeof(Vec3)};
constexpr Attribute box_min = {3, 0, sizeof(Aabb), offsetof(Aabb, min)};
constexpr Attribute box_max = {3, 0, sizeof(Aabb), offsetof(Aabb, max)};
constexpr Attribute box_overlap = {1, 1, sizeof(float)};

// One pass over the outputs of a kind. A shader that has them gets the uniforms `opacity`, one of
// the two below, and `command`, the index of the output's draw command.
struct Mark {
  OutputKind kind;
  std::string_view vertex_shader, geometry_shader, fragment_shader;  // geometry: empty, or a file
  std::string_view define = {};                                      // of the shaders
  GLenum mode;
  std::array<Attribute, 3> attributes;
  bool per_instance = false;  // attributes are those of instances
  float before = 1.0F;        // opacity before surfaces and where there are none
  float behind = 0.0F;        // opacity behind surfaces; 0: hidden there
  void (*set_style)(GLuint program, const OutputStyle& style) = nullptr;
};

void set_box_style(GLuint program, const OutputStyle& output) {
  enum Uniform : GLint { level_at = 2, is_path_at, by_overlap_at };
  const auto style = style_as<BoxStyle>(output);
  glProgramUniform1i(program, level_at, static_cast<GLint>(style.level));
  glProgramUniform1i(program, is_path_at, style.is_path ? 1 : 0);
  glProgramUniform1i(program, by_overlap_at, style.by_overlap ? 1 : 0);
}

// In drawing order: first what is part of the scene, then what lies over it.
constexpr std::array marks = {
    // What a file has beside its triangles.
    Mark{.kind = OutputKind::dots,
         .vertex_shader = "points.vert",
         .geometry_shader = "points.geom",
         .fragment_shader = "points.frag",
         .define = "COLOURED",
         .mode = GL_POINTS,
         .attributes = {vertex_position, element_colour}},
    Mark{.kind = OutputKind::lines,
         .vertex_shader = "lines.vert",
         .geometry_shader = "line.geom",
         .fragment_shader = "line.frag",
         .define = "BODY",
         .mode = GL_LINES,
         .attributes = {vertex_position, element_colour}},
    // The twelve edges of each box. Kernels append boxes in no fixed order: they are blended in one
    // colour, so order does not show.
    Mark{.kind = OutputKind::boxes,
         .vertex_shader = "boxes.vert",
         .geometry_shader = "line.geom",
         .fragment_shader = "line.frag",
         .mode = GL_LINES,
         .attributes = {box_min, box_max, box_overlap},
         .per_instance = true,
         .before = 0.85F,
         .behind = 0.09F,
         .set_style = set_box_style},
    // Coloured from its start (blue) to its end (red).
    Mark{.kind = OutputKind::strip,
         .vertex_shader = "curve.vert",
         .geometry_shader = "line.geom",
         .fragment_shader = "line.frag",
         .mode = GL_LINE_STRIP,
         .attributes = {place},
         .before = 0.95F,
         .behind = 0.12F},
    Mark{.kind = OutputKind::points,
         .vertex_shader = "points.vert",
         .geometry_shader = "points.geom",
         .fragment_shader = "points.frag",
         .mode = GL_POINTS,
         .attributes = {vertex_position}},
    Mark{.kind = OutputKind::marked,
         .vertex_shader = "marked.vert",
         .geometry_shader = "",
         .fragment_shader = "marked.frag",
         .define = "FILL",
         .mode = GL_TRIANGLES,
         .attributes = {place},
         .behind = 0.25F},
    // Its outline has a constant width: a triangle of less than a pixel is seen too.
    Mark{.kind = OutputKind::marked,
         .vertex_shader = "marked.vert",
         .geometry_shader = "line.geom",
         .fragment_shader = "line.frag",
         .mode = GL_LINE_LOOP,
         .attributes = {place},
         .behind = 0.35F}};

GlProgram link_program_of(const Mark& mark) {
  if (mark.geometry_shader.empty())
    return link_program({mark.vertex_shader, mark.fragment_shader}, {mark.define});
  return link_program({mark.vertex_shader, mark.geometry_shader, mark.fragment_shader},
                      {mark.define});
}

class MarkLayer final : public Layer {
 public:
  // `mark` must outlive the layer.
  explicit MarkLayer(const Mark& mark)
      : mark_(mark),
        program_(link_program_of(mark)),
        opacity_at_(glGetUniformLocation(program_.get(), "opacity")),
        command_at_(glGetUniformLocation(program_.get(), "command")),
        layout_(create_gl_vertex_array()) {
    for (GLuint i = 0; i < mark.attributes.size(); ++i) {
      const Attribute& attribute = mark.attributes[i];
      if (attribute.components == 0) continue;
      glVertexArrayAttribFormat(layout_.get(), i, attribute.components, attribute.type, GL_TRUE, 0);
      glVertexArrayAttribBinding(layout_.get(), i, i);
      if (mark.per_instance) glVertexArrayBindingDivisor(layout_.get(), i, 1);
    }
  }

  std::span<const OutputKind> kinds() const override { return {&mark_.kind, 1}; }

  void draw(const Drawing& drawing, const std::vector<const DrawnOutput*>& outputs) override {
    glUseProgram(program_.get());
    glBindVertexArray(layout_.get());
    for (const DrawnOutput* output : outputs) {
      glProgramUniform1i(program_.get(), command_at_, static_cast<GLint>(output->command));
      if (mark_.set_style) mark_.set_style(program_.get(), output->style);
      bind_streams(*output);
      if (mark_.behind > 0.0F) {
        glDepthFunc(GL_GREATER);
        draw_once(drawing, *output, mark_.behind);
        glDepthFunc(GL_LEQUAL);
      }
      draw_once(drawing, *output, mark_.before);
    }
  }

 private:
  void bind_streams(const DrawnOutput& output) {
    for (GLuint i = 0; i < mark_.attributes.size(); ++i) {
      const Attribute& attribute = mark_.attributes[i];
      if (attribute.components == 0) continue;
      // An output may lack the last stream of its kind: then its shader reads no such input.
      const bool is_there = attribute.stream < output.buffers.size();
      if (is_there)
        glEnableVertexArrayAttrib(layout_.get(), i);
      else
        glDisableVertexArrayAttrib(layout_.get(), i);
      if (is_there)
        glVertexArrayVertexBuffer(layout_.get(), i, output.buffers[attribute.stream],
                                  static_cast<GLintptr>(attribute.offset),
                                  static_cast<GLsizei>(attribute.element_bytes));
    }
  }
  void draw_once(const Drawing& drawing, const DrawnOutput& output, float opacity) {
    glProgramUniform1f(program_.get(), opacity_at_, opacity);
    drawing.arrays(mark_.mode, output);
  }

  const Mark& mark_;
  GlProgram program_;
  GLint opacity_at_, command_at_;  // -1, which GL ignores, where the shader has none
  GlVertexArray layout_;
};

}  // namespace

std::vector<std::unique_ptr<Layer>> make_mark_layers() {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.reserve(marks.size());
  for (const Mark& mark : marks) layers.push_back(std::make_unique<MarkLayer>(mark));
  return layers;
}

}  // namespace warpview
