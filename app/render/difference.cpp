#include "app/render/difference.h"

#include <array>
#include <cstdint>

#include "app/gl/program.h"

namespace warpview {

namespace {

// Bindings, as shaders/difference.frag numbers them.
constexpr GLuint found_binding = 0;
constexpr GLuint a_binding = 0;
constexpr GLuint b_binding = 1;
constexpr GLint gain_location = 0;

// Its block Found: pixels that differ, and the largest difference.
using Found = std::array<std::uint32_t, 2>;

}  // namespace

DifferenceRenderer::DifferenceRenderer()
    : program_(link_program({"background.vert", "difference.frag"})),
      no_attributes_(create_gl_vertex_array()),
      found_(create_gl_buffer()) {
  glNamedBufferStorage(found_.get(), sizeof(Found), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

PictureDifference DifferenceRenderer::draw(const Framebuffer& target, const Framebuffer& a,
                                           const Framebuffer& b, int gain) {
  Found found{};
  glNamedBufferSubData(found_.get(), 0, sizeof(found), found.data());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, found_binding, found_.get());
  glBindTextureUnit(a_binding, a.texture());
  glBindTextureUnit(b_binding, b.texture());
  target.bind_resolved();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glUseProgram(program_.get());
  glUniform1f(gain_location, static_cast<float>(gain));
  glBindVertexArray(no_attributes_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glUseProgram(0);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(found_.get(), 0, sizeof(found), found.data());
  const double pixels = static_cast<double>(target.width()) * static_cast<double>(target.height());
  return {.share = found[0] / pixels, .largest = static_cast<int>(found[1])};
}

}  // namespace warpview
