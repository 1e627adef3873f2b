// An OpenGL context, of a window or without one.
#pragma once

namespace warpview {

// Current in one thread at a time. Destroyed in a thread where it is current or where none is.
class GlContext {
 public:
  GlContext() = default;
  virtual ~GlContext() = default;
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  virtual void make_current() = 0;  // in the calling thread
  virtual void release() = 0;       // from the calling thread
};

}  // namespace warpview
