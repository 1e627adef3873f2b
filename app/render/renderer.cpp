#include "app/render/renderer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <string_view>

#include "app/gl/program.h"

namespace warpview {

namespace {

// Binding points, as the shaders number them.
constexpr GLuint frame_binding = 0;
constexpr GLuint commands_binding = 2;

// Texels a side of the shadow map, for a picture of so many pixels: four for each of them, as far
// as that is worth it, and one to two in a coarse one. A rasteriser on the CPU pays for each texel
// under each triangle.
int shadow_map_side(int width, int height, bool coarse) {
  constexpr unsigned smallest = 256;
  constexpr unsigned largest = 2048;
  const auto pixels = static_cast<unsigned>(std::clamp(std::max(width, height), 1, 2048));
  const unsigned texels = coarse ? std::bit_floor(2 * pixels) : std::bit_ceil(4 * pixels);
  return static_cast<int>(std::clamp(texels, smallest, largest));
}

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
  float light_theme;  // 1 in the light theme, else 0
  glm::vec4 cut;      // normal and offset
  glm::vec3 view_right;
  float scene_radius;
  glm::vec3 view_up;
  float floor_height;
  glm::vec3 view_forward;
  float floor_share;
  glm::vec3 world_up;
  float depth_near;
  glm::vec3 scene_centre;
  float depth_far;
};
static_assert(sizeof(FrameBlock) == 288);

// How far the eye is above the ground, in radii of the scene.
float height_above_floor(const Camera& camera) {
  return (glm::dot(camera.eye(), camera.world_up()) - camera.floor_height()) / camera.scene_radius;
}

void describe_surroundings(const Camera& camera, float aspect, FrameBlock& block) {
  const float tangent = glm::tan(0.5F * camera.field_of_view);
  block.view_right = camera.right() * tangent * aspect;
  block.view_up = camera.up() * tangent;
  block.view_forward = -camera.backward();
  block.world_up = camera.world_up();
  block.scene_centre = camera.scene_centre;
  block.scene_radius = camera.scene_radius;
  block.floor_height = camera.floor_height();
  constexpr float low = 0.02F;
  constexpr float high = 0.20F;
  block.floor_share = glm::smoothstep(low, high, height_above_floor(camera));
  const glm::mat4 projection = camera.projection(aspect);
  block.depth_near = projection[3][2];
  block.depth_far = projection[2][2];
}

FrameBlock frame_block(const Framebuffer& target, const Camera& camera,
                       const RenderOptions& options, int shadow_side) {
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
  block.pixel_scale = options.pixel_scale;
  block.light_theme = options.theme == Theme::light ? 1.0F : 0.0F;
  block.viewport = {width, height};
  describe_surroundings(camera, width / height, block);

  // A little more than the bounds: an animated mesh moves out of them.
  const float reach = 1.25F * camera.scene_radius;
  const glm::vec3 centre = camera.scene_centre;
  block.key_view_projection =
      glm::ortho(-reach, reach, -reach, reach, 0.0F, 4.0F * reach) *
      glm::lookAt(centre + block.key_direction * (2.0F * reach), centre, camera.up());
  block.shadow_texel = 2.0F * reach / static_cast<float>(shadow_side);
  return block;
}

GlTexture create_shadow_map(int side) {
  GlTexture map = create_gl_texture(GL_TEXTURE_2D);
  glTextureStorage2D(map.get(), 1, GL_DEPTH_COMPONENT32F, side, side);
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

bool is_software_rasteriser() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name != nullptr ? name : "";
  return renderer.find("llvmpipe") != std::string_view::npos ||
         renderer.find("softpipe") != std::string_view::npos;
}

// The outputs of a layer's kinds.
std::vector<const DrawnOutput*> outputs_of(const Layer& layer,
                                           const std::vector<DrawnOutput>& outputs) {
  const std::span<const OutputKind> kinds = layer.kinds();
  std::vector<const DrawnOutput*> found;
  for (const DrawnOutput& output : outputs)
    if (std::find(kinds.begin(), kinds.end(), output.kind) != kinds.end()) found.push_back(&output);
  return found;
}

// Leaves no program, vertex array or blending behind, however drawing ends.
class StateGuard {
 public:
  StateGuard() = default;
  ~StateGuard() {
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_CLIP_DISTANCE0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_CLAMP);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
  }
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;
};

}  // namespace

Renderer::Renderer()
    : layers_(make_layers()),
      backdrop_(link_program({"background.vert", "background.frag"})),
      horizon_(link_program({"background.vert", "background.frag"}, {"HORIZON"})),
      no_attributes_(create_gl_vertex_array()),
      frame_(create_gl_buffer()),
      shadow_target_(create_gl_framebuffer()),
      in_slices_(is_software_rasteriser()) {
  glNamedBufferStorage(frame_.get(), sizeof(FrameBlock), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

Renderer::~Renderer() = default;

void Renderer::set_look(const SurfaceLook& look) {
  for (const auto& layer : layers_) layer->set_look(look);
}

void Renderer::draw(const Framebuffer& target, const Camera& camera,
                    const std::vector<DrawnOutput>& outputs, GLuint commands,
                    const RenderOptions& options, const CutPlane& cut) {
  draw_columns({0, target.width()}, target, camera, outputs, commands, options, cut);
  target.resolve();
}

void Renderer::draw_columns(Columns columns, const Framebuffer& target, const Camera& camera,
                            const std::vector<DrawnOutput>& outputs, GLuint commands,
                            const RenderOptions& options, const CutPlane& cut) {
  const StateGuard guard;
  fit_shadow_map(shadow_map_side(target.width(), target.height(), !options.antialiased));
  FrameBlock block = frame_block(target, camera, options, shadow_side_);
  block.cut = {cut.normal.x, cut.normal.y, cut.normal.z, cut.offset};
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

  struct Shown {
    Layer* layer;
    std::vector<const DrawnOutput*> outputs;
  };
  std::vector<Shown> shown;
  Drawing drawing{.shadows = options.shadows,
                  .transparent = options.transparent,
                  .coarse = !options.antialiased,
                  .in_slices = in_slices_,
                  .shadow_map = shadow_map_.get()};
  if (commands != 0) {
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, commands_binding, commands);
    for (const auto& layer : layers_)
      if (auto of_layer = outputs_of(*layer, outputs); !of_layer.empty()) {
        drawing.dimmed |=
            options.dims_surfaces && layer->is_overlay() &&
            std::any_of(of_layer.begin(), of_layer.end(),
                        [](const DrawnOutput* output) { return output->dims_surfaces; });
        shown.push_back({layer.get(), std::move(of_layer)});
      }
  }
  const auto draw_layers = [&](bool overlays) {
    for (const Shown& each : shown)
      if (each.layer->is_overlay() == overlays) each.layer->draw(drawing, each.outputs);
  };

  glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_.get());
  glViewport(0, 0, shadow_side_, shadow_side_);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (cut.cuts()) glEnable(GL_CLIP_DISTANCE0);
  if (options.shadows)
    for (const Shown& each : shown) each.layer->draw_shadow(drawing, each.outputs);
  glDisable(GL_CLIP_DISTANCE0);

  const auto any_shown = [&shown](auto is_wanted) {
    return std::any_of(shown.begin(), shown.end(), [&](const Shown& each) {
      return std::any_of(each.outputs.begin(), each.outputs.end(),
                         [&](const DrawnOutput* output) { return is_wanted(output->kind); });
    });
  };
  const bool has_bodies = any_shown(has_occlusion);
  const bool has_ground = options.ground && !options.transparent &&
                          height_above_floor(camera) > 0.0F && any_shown(stands_on_ground);
  const bool has_shadow = has_ground && options.shadows && any_shown(has_shadows);
  if (has_shadow) ground_.take_shadow(shadow_map_.get(), shadow_side_);

  target.bind();
  // What darkens a pixel may stand in other columns.
  const bool has_occlusion_pass = options.occlusion && has_bodies;
  if ((columns.begin > 0 || columns.end < target.width()) && !has_occlusion_pass) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(columns.begin, 0, std::max(columns.end - columns.begin, 0), target.height());
  }
  glDisable(GL_DEPTH_TEST);
  RenderOptions seen = options;
  seen.horizon &= !camera.scene_is_flat() || any_shown(stands_on_ground);
  draw_background(seen);
  if (cut.cuts()) glEnable(GL_CLIP_DISTANCE0);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_layers(false);
  glDisable(GL_CLIP_DISTANCE0);
  if (has_ground) {
    ground_.draw(has_shadow);
    if (in_slices_) end_slice();
  }
  if (has_occlusion_pass) {
    occlusion_.draw(target);
    if (in_slices_) end_slice();
  }
  if (cut.cuts()) glEnable(GL_CLIP_DISTANCE0);
  // What lies over the bodies blends with what is there and hides nothing.
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  // A background stays opaque, whatever the blending rounds.
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, options.transparent ? GL_ONE : GL_ZERO,
                      options.transparent ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE);
  draw_layers(true);
}

void Renderer::fit_shadow_map(int side) {
  if (side == shadow_side_) return;
  shadow_map_ = create_shadow_map(side);
  glNamedFramebufferTexture(shadow_target_.get(), GL_DEPTH_ATTACHMENT, shadow_map_.get(), 0);
  shadow_side_ = side;
}

void Renderer::draw_background(const RenderOptions& options) {
  if (options.transparent) {
    constexpr std::array<GLfloat, 4> nothing{};
    glClearBufferfv(GL_COLOR, 0, nothing.data());
    return;
  }
  glUseProgram(options.horizon ? horizon_.get() : backdrop_.get());
  glBindVertexArray(no_attributes_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace warpview
