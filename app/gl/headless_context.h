// An OpenGL context without a window, a display or an X server.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gl/context.h"

namespace warpview {

struct HeadlessOptions {
  // Prefer the EGL device that is this CUDA device, so that kernels can write GL's buffers.
  std::optional<int> cuda_device = std::nullopt;
  // Use Mesa's software rasteriser only, as a machine without a GPU would.
  bool prefer_software = false;
};

// An OpenGL 4.5 core context made through EGL's device platform and current in this thread, with
// no default framebuffer. Loads GL's functions. Devices are tried in this order: the CUDA device
// asked for, other GPUs, Mesa's software device; the first that makes a context is taken.
class HeadlessContext final : public GlContext {
 public:
  // UnavailableError when no device makes a context: it lists what was tried and why it failed.
  explicit HeadlessContext(const HeadlessOptions& options = {});
  ~HeadlessContext() override;

  void make_current() override;
  void release() override;
  // A context for another thread that shares textures and buffers with this one. It is current in
  // none.
  std::unique_ptr<HeadlessContext> shared() const;
  const std::string& renderer() const;     // GL_RENDERER, e.g. "NVIDIA H200/PCIe/SSE2"
  bool is_software() const;                // on Mesa's software device
  std::optional<int> cuda_device() const;  // the CUDA ordinal of its EGL device, where it has one

 private:
  struct State;
  explicit HeadlessContext(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpview
