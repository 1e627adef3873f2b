#include "app/render/ground.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "app/gl/program.h"

namespace warpview {
namespace {

constexpr GLuint hard_unit = 1;  // also of what the other two passes read
constexpr GLuint soft_unit = 2;
enum Uniform : GLint { texels_at = 0, way_at = 0 };

// Texels of the ground's shadow, a side, where the shadow map has as many. Its blur is some of them
// wide, so the shadow is as soft whatever the picture's size.
constexpr int most_texels = 256;

void read_from(GLuint unit, const GlTexture& texture) {
  glBindTextureUnit(unit, texture.get());
  glBindSampler(unit, 0);
}

}  // namespace

Ground::Ground()
    : plane_(link_program({"ground.vert", "ground.frag"})),
      shaded_(link_program({"ground.vert", "ground.frag"}, {"SHADOW"})),
      gather_(link_program({"whole.vert", "ground_shadow.frag"})),
      blur_(link_program({"whole.vert", "ground_shadow.frag"}, {"BLUR"})),
      no_attributes_(create_gl_vertex_array()) {}

void Ground::fit(int side) {
  if (side == side_) return;
  // What is blurred needs no more than half as many.
  const int fewer = std::max(side / 2, 1);
  for (const auto& [texture, target, texels] : {std::tuple{&hard_, &into_hard_, side},
                                                {&half_, &into_half_, fewer},
                                                {&soft_, &into_soft_, fewer}}) {
    *texture = create_gl_texture(GL_TEXTURE_2D);
    glTextureStorage2D(texture->get(), 1, GL_RG8, texels, texels);
    glTextureParameteri(texture->get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture->get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture->get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture->get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    *target = create_gl_framebuffer();
    glNamedFramebufferTexture(target->get(), GL_COLOR_ATTACHMENT0, texture->get(), 0);
  }
  side_ = side;
}

void Ground::draw_with(const GlProgram& program, GLenum mode, GLsizei vertices) const {
  glUseProgram(program.get());
  glBindVertexArray(no_attributes_.get());
  glDrawArrays(mode, 0, vertices);
}

void Ground::blur(const GlTexture& from, const GlFramebuffer& into, float right, float up) const {
  const int texels = std::max(side_ / 2, 1);
  const float step = 1.0F / static_cast<float>(texels);
  glViewport(0, 0, texels, texels);
  glBindFramebuffer(GL_FRAMEBUFFER, into.get());
  read_from(hard_unit, from);
  glProgramUniform2f(blur_.get(), way_at, right * step, up * step);
  draw_with(blur_, GL_TRIANGLES, 3);
}

void Ground::take_shadow(GLuint shadow_map, int side) {
  const int texels_of_one = std::max(side / most_texels, 1);
  fit(std::max(side / texels_of_one, 1));
  glDisable(GL_DEPTH_TEST);
  glViewport(0, 0, side_, side_);
  glBindFramebuffer(GL_FRAMEBUFFER, into_hard_.get());
  glBindTextureUnit(hard_unit, shadow_map);
  glBindSampler(hard_unit, 0);
  // Its depths are read here, where surfaces have theirs compared.
  glTextureParameteri(shadow_map, GL_TEXTURE_COMPARE_MODE, GL_NONE);
  glProgramUniform1i(gather_.get(), texels_at, texels_of_one);
  draw_with(gather_, GL_TRIANGLES, 3);
  glTextureParameteri(shadow_map, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  blur(hard_, into_half_, 1.0F, 0.0F);
  blur(half_, into_soft_, 0.0F, 1.0F);
  glEnable(GL_DEPTH_TEST);
}

void Ground::draw(bool has_shadow) const {
  // It reaches beyond both clipping planes.
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  // The shadow before the plane, whose depth would hide it; each is drawn over what is there.
  glDepthMask(GL_FALSE);
  draw_with(plane_, GL_TRIANGLE_STRIP, 4);
  if (has_shadow) {
    read_from(hard_unit, hard_);
    read_from(soft_unit, soft_);
    draw_with(shaded_, GL_TRIANGLE_STRIP, 4);
  }
  glDepthMask(GL_TRUE);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  draw_with(plane_, GL_TRIANGLE_STRIP, 4);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_CLAMP);
}

}  // namespace warpview
