// GLFW: the library's life, a window with an OpenGL context, and a second context that shares with
// it. All of it belongs to the main thread.
#pragma once

#include <vector>

#include "app/gl/context.h"
#include "app/window/window_size.h"

struct GLFWwindow;

namespace warpview {

// GLFW, for as long as the object lives. NoWindowError where there is no desktop.
class Glfw {
 public:
  Glfw();
  ~Glfw();
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

// A window whose OpenGL 4.5 context is current. It is hidden until glfwShowWindow().
class GlWindow {
 public:
  // `size` is what size() was, or would be on a desktop that is not scaled. NoWindowError where
  // there is no OpenGL 4.5.
  GlWindow(WindowSize size, bool maximised);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  GLFWwindow* get() const { return window_; }

  // The size before the desktop scaled it.
  WindowSize size() const;

 private:
  WindowSize scaled_size() const;
  float scaling() const;
  void set_icon();
  void fit_size();

  GLFWwindow* window_ = nullptr;
};

// A context for another thread, which shares textures and buffers with the window's. GLFW creates
// contexts with windows only: this window is never shown. Created and destroyed on the main thread.
class SharedGlfwContext final : public GlContext {
 public:
  explicit SharedGlfwContext(GLFWwindow* shares_with);
  ~SharedGlfwContext() override;

  void make_current() override;
  void release() override;

 private:
  GLFWwindow* window_ = nullptr;
};

}  // namespace warpview
