#include "app/window/gl_window.h"

#include <glad/gl.h>
// After the loader, which must come first.
#include <GLFW/glfw3.h>

#include <array>
#include <string>
#include <vector>

#include "app/gl/address_space.h"
#include "app/window/icon.h"
#include "app/window/window.h"

namespace warpview {
namespace {

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "GLFW gives no reason";
}

// The area of each monitor without panels and docks, the primary one first.
std::vector<WindowSize> work_areas() {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  std::vector<WindowSize> areas;
  for (int i = 0; i < count; ++i) {
    WindowSize& area = areas.emplace_back();
    glfwGetMonitorWorkarea(monitors[i], nullptr, nullptr, &area.width, &area.height);
  }
  return areas;
}

}  // namespace

// ---- GLFW ---------------------------------------------------------------------------------------

Glfw::Glfw() {
  if (glfwInit() != GLFW_TRUE)
    throw NoWindowError("a window", glfw_reason(),
                        "Start it on a desktop (DISPLAY or WAYLAND_DISPLAY must be set), or "
                        "render into a file with --headless --screenshot OUT.png");
}

Glfw::~Glfw() { glfwTerminate(); }

// ---- The window ---------------------------------------------------------------------------------

GlWindow::GlWindow(WindowSize size, bool maximised) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // the picture is drawn offscreen
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, maximised ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is something to see
  require_address_space_for_gl();
  window_ = glfwCreateWindow(size.width, size.height, "Warpview", nullptr, nullptr);
  if (window_ == nullptr)
    throw NoWindowError("a window with OpenGL 4.5", glfw_reason(),
                        "Update the graphics driver, or use Mesa's software rasteriser: apt "
                        "install libgl1-mesa-dri, then LIBGL_ALWAYS_SOFTWARE=1");
  fit_size();
  set_icon();
  glfwMakeContextCurrent(window_);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwDestroyWindow(window_);
    throw NoWindowError("OpenGL 4.5", "its functions cannot be loaded",
                        "Update the graphics driver");
  }
}

GlWindow::~GlWindow() { glfwDestroyWindow(window_); }

WindowSize GlWindow::size() const { return unscaled(scaled_size(), scaling()); }

WindowSize GlWindow::scaled_size() const {
  WindowSize size;
  glfwGetWindowSize(window_, &size.width, &size.height);
  return size;
}

float GlWindow::scaling() const {
  WindowSize pixels;
  glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
  float desktop = 1.0F;
  glfwGetWindowContentScale(window_, &desktop, nullptr);
  return scaling_of(scaled_size(), pixels, desktop);
}

// In sizes from which a desktop chooses; Wayland takes its own from the .desktop file.
void GlWindow::set_icon() {
  std::array icons = {draw_icon(16), draw_icon(32), draw_icon(48), draw_icon(64), draw_icon(128)};
  std::array<GLFWimage, icons.size()> images{};
  for (std::size_t i = 0; i < icons.size(); ++i)
    images[i] = {icons[i].size, icons[i].size, icons[i].rgba.data()};
  glfwSetWindowIcon(window_, static_cast<int>(images.size()), images.data());
}

// The size that is remembered may be of a larger monitor.
void GlWindow::fit_size() {
  const WindowSize fitting = fitted(scaled_size(), work_areas());
  if (fitting != scaled_size()) glfwSetWindowSize(window_, fitting.width, fitting.height);
  const WindowSize least = scaled({480, 320}, scaling());
  glfwSetWindowSizeLimits(window_, least.width, least.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
}

// ---- A second context ---------------------------------------------------------------------------

SharedGlfwContext::SharedGlfwContext(GLFWwindow* shares_with) {
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
  window_ = glfwCreateWindow(1, 1, "Warpview", nullptr, shares_with);
  if (window_ == nullptr)
    throw NoWindowError("a second OpenGL context", glfw_reason(), "Update the graphics driver");
}

SharedGlfwContext::~SharedGlfwContext() { glfwDestroyWindow(window_); }

void SharedGlfwContext::make_current() { glfwMakeContextCurrent(window_); }

void SharedGlfwContext::release() { glfwMakeContextCurrent(nullptr); }

}  // namespace warpview
