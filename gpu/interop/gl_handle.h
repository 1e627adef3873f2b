// Owners of OpenGL objects.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace warpview {

// Holds the name of one GL object and deletes it. Movable, not copyable. 0 is "none".
// The context that made the object must be current when the handle dies.
template <class Deleter>
class GlHandle {
 public:
  GlHandle() = default;
  explicit GlHandle(GLuint name) : name_(name) {}
  GlHandle(GlHandle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlHandle() {
    if (name_ != 0) Deleter{}(name_);
  }

  GLuint get() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

namespace gl_deleters {
struct Buffer {
  void operator()(GLuint name) const { glDeleteBuffers(1, &name); }
};
struct Texture {
  void operator()(GLuint name) const { glDeleteTextures(1, &name); }
};
struct Renderbuffer {
  void operator()(GLuint name) const { glDeleteRenderbuffers(1, &name); }
};
struct Framebuffer {
  void operator()(GLuint name) const { glDeleteFramebuffers(1, &name); }
};
struct VertexArray {
  void operator()(GLuint name) const { glDeleteVertexArrays(1, &name); }
};
struct Shader {
  void operator()(GLuint name) const { glDeleteShader(name); }
};
struct Program {
  void operator()(GLuint name) const { glDeleteProgram(name); }
};
}  // namespace gl_deleters

using GlBuffer = GlHandle<gl_deleters::Buffer>;
using GlTexture = GlHandle<gl_deleters::Texture>;
using GlRenderbuffer = GlHandle<gl_deleters::Renderbuffer>;
using GlFramebuffer = GlHandle<gl_deleters::Framebuffer>;
using GlVertexArray = GlHandle<gl_deleters::VertexArray>;
using GlShader = GlHandle<gl_deleters::Shader>;
using GlProgram = GlHandle<gl_deleters::Program>;

inline GlBuffer create_gl_buffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return GlBuffer(name);
}
inline GlTexture create_gl_texture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  return GlTexture(name);
}
inline GlRenderbuffer create_gl_renderbuffer() {
  GLuint name = 0;
  glCreateRenderbuffers(1, &name);
  return GlRenderbuffer(name);
}
inline GlFramebuffer create_gl_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return GlFramebuffer(name);
}
inline GlVertexArray create_gl_vertex_array() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return GlVertexArray(name);
}

}  // namespace warpview
