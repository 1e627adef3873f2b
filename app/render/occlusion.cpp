#include "app/render/occlusion.h"

#include <tuple>

#include "app/gl/program.h"

namespace warpview {
namespace {

constexpr GLuint source_unit = 1;

void draw_whole(const GlProgram& program, GLuint source) {
  glBindTextureUnit(source_unit, source);
  glBindSampler(source_unit, 0);
  glUseProgram(program.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace

Occlusion::Occlusion()
    : find_(link_program({"whole.vert", "occlusion.frag"})),
      find_in_samples_(link_program({"whole.vert", "occlusion.frag"}, {"SAMPLES"})),
      blur_(link_program({"whole.vert", "occlusion.frag"}, {"BLUR"})),
      apply_(link_program({"whole.vert", "occlusion.frag"}, {"APPLY"})),
      no_attributes_(create_gl_vertex_array()) {}

void Occlusion::fit(int width, int height) {
  if (width == width_ && height == height_) return;
  for (const auto& [texture, target, format] :
       {std::tuple{&found_, &into_found_, GL_RG16F}, {&smooth_, &into_smooth_, GL_R8}}) {
    *texture = create_gl_texture(GL_TEXTURE_2D);
    glTextureStorage2D(texture->get(), 1, static_cast<GLenum>(format), width, height);
    glTextureParameteri(texture->get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture->get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture->get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture->get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    *target = create_gl_framebuffer();
    glNamedFramebufferTexture(target->get(), GL_COLOR_ATTACHMENT0, texture->get(), 0);
  }
  width_ = width;
  height_ = height;
}

void Occlusion::draw(const Framebuffer& target) {
  fit((target.width() + 1) / 2, (target.height() + 1) / 2);
  glBindVertexArray(no_attributes_.get());
  glDisable(GL_DEPTH_TEST);
  glViewport(0, 0, width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, into_found_.get());
  draw_whole(target.samples() > 1 ? find_in_samples_ : find_, target.depth_texture());
  glBindFramebuffer(GL_FRAMEBUFFER, into_smooth_.get());
  draw_whole(blur_, found_.get());

  // Where nothing is drawn, the picture is as deep as it can be, and stays as it is.
  target.bind();
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GREATER);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);
  draw_whole(apply_, smooth_.get());
  glDisable(GL_BLEND);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
}

}  // namespace warpview
