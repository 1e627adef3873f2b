#include "app/render/renderer.h"

#include <stb_image_resize.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <string>

#include "app/gl/program.h"
#include "gpu/dedup/dedup.h"
#include "gpu/pipeline/mesh_kernels.h"
#include "gpu/runtime/error.h"

namespace warpview {

namespace {

// Binding points and uniform locations, as the shaders number them.
enum StorageBinding : GLuint { materials_binding = 0, triangle_material_binding, commands_binding };
constexpr GLuint frame_binding = 0;
constexpr GLuint textures_unit = 0;
constexpr GLuint shadow_map_unit = 1;
constexpr int shadow_map_size = 2048;
namespace mesh_uniform {
enum : GLint { material_count = 0, has_triangle_material, dimmed, lit };
}
constexpr GLint line_opacity = 0;
constexpr GLint boxes_level = 1;
constexpr GLint curve_count_at = 1;
constexpr GLint points_count_at = 0;

// The std140 block of shaders/frame.glsl.
struct FrameBlock {
  glm::mat4 view_projection;
  glm::mat4 key_view_projection;
  glm::vec3 eye;
  float nudge;
  glm::vec3 key_direction;
  float focal_pixels;
  glm::vec3 rim_direction;
  float pixel_scale;
  glm::vec2 viewport;
  float shadow_texel;
  float unused;
};
static_assert(sizeof(FrameBlock) == 192);

constexpr int word_of(std::size_t offset) { return static_cast<int>(offset / sizeof(GLuint)); }

// GL takes offsets into a bound buffer as pointers.
const void* command(std::size_t offset) {
  return reinterpret_cast<const void*>(offset);  // NOLINT(performance-no-int-to-ptr)
}

void add_attribute(GLuint layout, GLuint location, GLint components, std::size_t offset) {
  glEnableVertexArrayAttrib(layout, location);
  glVertexArrayAttribFormat(layout, location, components, GL_FLOAT, GL_FALSE,
                            static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(layout, location, 0);
}

FrameBlock frame_block(const Framebuffer& target, const Camera& camera, float pixel_scale) {
  const auto width = static_cast<float>(target.width());
  const auto height = static_cast<float>(target.height());
  FrameBlock block{};
  block.view_projection = camera.projection(width / height) * camera.view();
  block.eye = camera.eye();
  block.nudge = 0.004F * camera.scene_radius;
  block.key_direction =
      glm::normalize(-0.55F * camera.right() + 0.70F * camera.up() + 0.62F * camera.backward());
  block.focal_pixels = 0.5F * height / glm::tan(0.5F * camera.field_of_view);
  block.rim_direction =
      glm::normalize(0.75F * camera.right() + 0.45F * camera.up() - 0.55F * camera.backward());
  block.pixel_scale = pixel_scale;
  block.viewport = {width, height};

  // A little more than the bounds: an animated mesh moves out of them.
  const float reach = 1.25F * camera.scene_radius;
  const glm::vec3 centre = camera.scene_centre;
  block.key_view_projection =
      glm::ortho(-reach, reach, -reach, reach, 0.0F, 4.0F * reach) *
      glm::lookAt(centre + block.key_direction * (2.0F * reach), centre, camera.up());
  block.shadow_texel = 2.0F * reach / shadow_map_size;
  return block;
}

// Lines lie over the surface: bright where they are before it, faint where it hides them.
template <class Draw>
void draw_before_and_behind(GLuint program, float before, float behind, Draw draw) {
  glDepthFunc(GL_GREATER);
  glProgramUniform1f(program, line_opacity, behind);
  draw();
  glDepthFunc(GL_LEQUAL);
  glProgramUniform1f(program, line_opacity, before);
  draw();
}

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

// Layers of one size with mipmaps, sRGB-encoded.
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

GlTexture create_shadow_map() {
  GlTexture map = create_gl_texture(GL_TEXTURE_2D);
  glTextureStorage2D(map.get(), 1, GL_DEPTH_COMPONENT32F, shadow_map_size, shadow_map_size);
  glTextureParameteri(map.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(map.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(map.get(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(map.get(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  // What lies outside the map is in the light.
  glTextureParameteri(map.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTextureParameteri(map.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  constexpr std::array<GLfloat, 4> farthest{1.0F, 1.0F, 1.0F, 1.0F};
  glTextureParameterfv(map.get(), GL_TEXTURE_BORDER_COLOR, farthest.data());
  return map;
}

}  // namespace

Renderer::Renderer()
    : shadow_(link_program({"shadow.vert"})),
      background_(link_program({"background.vert", "background.frag"})),
      mesh_(link_program({"mesh.vert", "mesh.frag"})),
      mesh_with_wire_(link_program({"mesh.vert", "wire.geom", "mesh.frag"}, {"WIRE"})),
      boxes_(link_program({"boxes.vert", "line.geom", "line.frag"})),
      curve_(link_program({"curve.vert", "line.geom", "line.frag"})),
      points_(link_program({"points.vert", "points.geom", "points.frag"})),
      no_attributes_(create_gl_vertex_array()),
      vertex_layout_(create_gl_vertex_array()),
      box_layout_(create_gl_vertex_array()),
      curve_layout_(create_gl_vertex_array()),
      frame_(create_gl_buffer()),
      material_zero_(create_gl_buffer()),
      shadow_map_(create_shadow_map()),
      shadow_target_(create_gl_framebuffer()) {
  glNamedFramebufferTexture(shadow_target_.get(), GL_DEPTH_ATTACHMENT, shadow_map_.get(), 0);
  add_attribute(vertex_layout_.get(), 0, 3, offsetof(Vertex, position));
  add_attribute(vertex_layout_.get(), 1, 3, offsetof(Vertex, normal));
  add_attribute(vertex_layout_.get(), 2, 2, offsetof(Vertex, texcoord));
  add_attribute(box_layout_.get(), 0, 3, offsetof(Aabb, min));
  add_attribute(box_layout_.get(), 1, 3, offsetof(Aabb, max));
  glVertexArrayBindingDivisor(box_layout_.get(), 0, 1);
  add_attribute(curve_layout_.get(), 0, 3, 0);

  glNamedBufferStorage(frame_.get(), sizeof(FrameBlock), nullptr, GL_DYNAMIC_STORAGE_BIT);
  constexpr GLuint zero = 0;
  glNamedBufferStorage(material_zero_.get(), sizeof(zero), &zero, 0);
  glProgramUniform1i(curve_.get(), curve_count_at,
                     word_of(offsetof(DrawCommands, curve) + offsetof(DrawArraysCommand, count)));
  glProgramUniform1i(points_.get(), points_count_at,
                     word_of(offsetof(DrawCommands, points) + offsetof(DrawArraysCommand, count)));
  set_materials({}, {});
}

void Renderer::set_materials(std::span<const Surface> materials, std::span<const Picture> images) {
  const Surface default_material;
  if (materials.empty()) materials = {&default_material, 1};
  for (const Surface& material : materials)
    if (material.texture >= static_cast<std::int64_t>(images.size()))
      throw Error("material with image " + std::to_string(material.texture),
                  "there are " + std::to_string(images.size()) + " images",
                  "Give every image that a material names");
  GlTexture textures = create_texture_array(images);
  GlBuffer buffer = create_gl_buffer();
  glNamedBufferStorage(buffer.get(), static_cast<GLsizeiptr>(materials.size_bytes()),
                       materials.data(), 0);
  textures_ = std::move(textures);
  materials_ = std::move(buffer);
  material_count_ = static_cast<GLuint>(materials.size());
}

void Renderer::draw(const Framebuffer& target, const Camera& camera, const DrawBuffers& buffers,
                    const DrawOptions& options) {
  const FrameBlock block = frame_block(target, camera, options.pixel_scale);
  glNamedBufferSubData(frame_.get(), 0, sizeof(block), &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_binding, frame_.get());

  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_MULTISAMPLE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  glClearDepth(1.0);

  const bool has_commands = buffers.commands != 0;
  const bool has_surface = has_commands && (options.mesh || options.wire) &&
                           buffers.vertices != 0 && buffers.indices != 0;
  if (has_commands) {
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers.commands);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, commands_binding, buffers.commands);
  }
  if (has_surface) {
    glVertexArrayVertexBuffer(vertex_layout_.get(), 0, buffers.vertices, 0, sizeof(Vertex));
    glVertexArrayElementBuffer(vertex_layout_.get(), buffers.indices);
    if (options.mesh) draw_shadow_map(options.shadows);
  }

  target.bind();
  glDisable(GL_DEPTH_TEST);
  draw_background();
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (has_surface) draw_surface(buffers.triangle_material, options);
  if (has_commands) {
    // Lines and points blend over what is there and hide nothing.
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    if (options.boxes && buffers.boxes != 0) draw_boxes(buffers, options);
    if (options.curve && buffers.curve != 0) draw_curve(buffers);
    if (options.points && buffers.vertices != 0) draw_points(buffers);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
  }
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  target.resolve();
}

void Renderer::draw_shadow_map(bool with_shadows) {
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_.get());
  glViewport(0, 0, shadow_map_size, shadow_map_size);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (!with_shadows) return;
  glUseProgram(shadow_.get());
  glBindVertexArray(vertex_layout_.get());
  glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, command(offsetof(DrawCommands, mesh)));
}

void Renderer::draw_background() {
  glUseProgram(background_.get());
  glBindVertexArray(no_attributes_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Renderer::draw_surface(GLuint triangle_material, const DrawOptions& options) {
  const GLuint program = options.wire ? mesh_with_wire_.get() : mesh_.get();
  const bool has_material = triangle_material != 0;
  const bool is_stage = options.boxes || options.curve || options.points;
  glProgramUniform1ui(program, mesh_uniform::material_count, material_count_);
  glProgramUniform1i(program, mesh_uniform::has_triangle_material, has_material ? 1 : 0);
  glProgramUniform1f(program, mesh_uniform::dimmed, is_stage ? 1.0F : 0.0F);
  glProgramUniform1i(program, mesh_uniform::lit, options.mesh ? 1 : 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, materials_binding, materials_.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, triangle_material_binding,
                   has_material ? triangle_material : material_zero_.get());
  glBindTextureUnit(textures_unit, textures_.get());
  glBindSampler(textures_unit, 0);
  glBindTextureUnit(shadow_map_unit, shadow_map_.get());
  glBindSampler(shadow_map_unit, 0);
  glBindVertexArray(vertex_layout_.get());
  glUseProgram(program);
  glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, command(offsetof(DrawCommands, mesh)));
}

void Renderer::draw_boxes(const DrawBuffers& buffers, const DrawOptions& options) {
  glProgramUniform1i(boxes_.get(), boxes_level, options.level);
  glVertexArrayVertexBuffer(box_layout_.get(), 0, buffers.boxes, 0, sizeof(Aabb));
  glBindVertexArray(box_layout_.get());
  glUseProgram(boxes_.get());
  draw_before_and_behind(boxes_.get(), 0.85F, 0.09F, [] {
    glDrawArraysIndirect(GL_LINES, command(offsetof(DrawCommands, boxes)));
  });
}

void Renderer::draw_curve(const DrawBuffers& buffers) {
  glVertexArrayVertexBuffer(curve_layout_.get(), 0, buffers.curve, 0, sizeof(Vec3));
  glBindVertexArray(curve_layout_.get());
  glUseProgram(curve_.get());
  draw_before_and_behind(curve_.get(), 0.95F, 0.12F, [] {
    glDrawArraysIndirect(GL_LINE_STRIP, command(offsetof(DrawCommands, curve)));
  });
}

void Renderer::draw_points(const DrawBuffers& buffers) {
  glVertexArrayVertexBuffer(vertex_layout_.get(), 0, buffers.vertices, 0, sizeof(Vertex));
  glBindVertexArray(vertex_layout_.get());
  glUseProgram(points_.get());
  glDrawArraysIndirect(GL_POINTS, command(offsetof(DrawCommands, points)));
}

}  // namespace warpview
