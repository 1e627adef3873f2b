#include "app/gl/headless_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "app/gl/address_space.h"
#include "gpu/runtime/error.h"

namespace warpview {

struct HeadlessContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLConfig config = nullptr;
  EGLContext context = EGL_NO_CONTEXT;
  std::string renderer;
  bool is_software = false;
  std::optional<int> cuda_device;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    // The display is not terminated: EGL keeps one per device for the whole process, and another
    // context may be on it.
    if (context == EGL_NO_CONTEXT) return;
    if (eglGetCurrentContext() == context)
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

namespace {

// One EGL device and what EGL says of it before it is opened.
struct Candidate {
  EGLDeviceEXT device = EGL_NO_DEVICE_EXT;
  std::string label;  // for messages
  bool is_software = false;
  std::optional<int> cuda_device;
};

struct DeviceFunctions {
  PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
  PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string = nullptr;
  PFNEGLQUERYDEVICEATTRIBEXTPROC query_device_attribute = nullptr;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;
};

template <class Function>
Function load(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

// Extension lists are words separated by blanks.
bool has_word(const char* list, std::string_view word) {
  if (list == nullptr) return false;
  const std::string padded = " " + std::string(list) + " ";
  return padded.find(" " + std::string(word) + " ") != std::string::npos;
}

std::string egl_error() {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "EGL error 0x%04x", static_cast<unsigned>(eglGetError()));
  return text.data();
}

UnavailableError unavailable(const std::string& found) {
  return {"headless OpenGL 4.5", found,
          "Install a GPU's driver, or Mesa's software rasteriser: apt install libegl1 "
          "libegl-mesa0 libgl1-mesa-dri"};
}

DeviceFunctions load_device_functions() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const bool enumerates = has_word(extensions, "EGL_EXT_device_base") ||
                          has_word(extensions, "EGL_EXT_device_enumeration");
  const DeviceFunctions egl{load<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT"),
                            load<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT"),
                            load<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT"),
                            load<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT")};
  if (!enumerates || !has_word(extensions, "EGL_EXT_platform_device") ||
      egl.query_devices == nullptr || egl.query_device_string == nullptr ||
      egl.query_device_attribute == nullptr || egl.get_platform_display == nullptr)
    throw unavailable("EGL here cannot list devices (EGL_EXT_platform_device is missing)");
  return egl;
}

std::vector<Candidate> list_devices(const DeviceFunctions& egl) {
  EGLint count = 0;
  egl.query_devices(0, nullptr, &count);
  std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(std::max(count, 0)));
  if (count > 0) egl.query_devices(count, devices.data(), &count);

  std::vector<Candidate> candidates;
  for (EGLDeviceEXT device : devices) {
    Candidate candidate{device, "EGL device " + std::to_string(candidates.size()), false, {}};
    const char* extensions = egl.query_device_string(device, EGL_EXTENSIONS);
    candidate.is_software = has_word(extensions, "EGL_MESA_device_software");
    EGLAttrib ordinal = 0;
    if (has_word(extensions, "EGL_NV_device_cuda") &&
        egl.query_device_attribute(device, EGL_CUDA_DEVICE_NV, &ordinal) == EGL_TRUE)
      candidate.cuda_device = static_cast<int>(ordinal);
    if (candidate.is_software) candidate.label += " (Mesa's software device)";
    if (candidate.cuda_device)
      candidate.label += " (CUDA device " + std::to_string(*candidate.cuda_device) + ")";
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// Best first. Equal ones stay in EGL's order.
void sort_by_preference(std::vector<Candidate>& candidates, std::optional<int> cuda_device) {
  const auto rank = [&](const Candidate& candidate) {
    if (candidate.is_software) return 2;
    return cuda_device && candidate.cuda_device == cuda_device ? 0 : 1;
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
}

EGLContext create_context(EGLDisplay display, EGLConfig config, EGLContext shares_with) {
  constexpr std::array<EGLint, 7> version{EGL_CONTEXT_MAJOR_VERSION,
                                          4,
                                          EGL_CONTEXT_MINOR_VERSION,
                                          5,
                                          EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                          EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                          EGL_NONE};
  return eglCreateContext(display, config, shares_with, version.data());
}

// Makes a context on the device and makes it current. On failure says why and leaves `display` and
// `context` for the caller to drop.
std::string open_device(const DeviceFunctions& egl, const Candidate& candidate, EGLDisplay& display,
                        EGLConfig& config, EGLContext& context) {
  display = egl.get_platform_display(EGL_PLATFORM_DEVICE_EXT, candidate.device, nullptr);
  if (display == EGL_NO_DISPLAY) return "no display, " + egl_error();
  if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE)
    return "it does not initialise, " + egl_error();
  if (!has_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context"))
    return "it needs a window (no EGL_KHR_surfaceless_context)";
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "it has no desktop OpenGL, " + egl_error();

  constexpr std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                         EGL_OPENGL_BIT, EGL_NONE};
  EGLint configs = 0;
  if (eglChooseConfig(display, wanted.data(), &config, 1, &configs) != EGL_TRUE || configs == 0)
    return "it has no configuration for OpenGL, " + egl_error();

  context = create_context(display, config, EGL_NO_CONTEXT);
  if (context == EGL_NO_CONTEXT) return "no OpenGL 4.5 core context, " + egl_error();
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE)
    return "the context cannot be made current, " + egl_error();
  if (gladLoadGL(eglGetProcAddress) == 0) return "OpenGL's functions cannot be loaded";
  return {};
}

}  // namespace

HeadlessContext::HeadlessContext(const HeadlessOptions& options) {
  require_address_space_for_gl();
  const DeviceFunctions egl = load_device_functions();
  std::vector<Candidate> candidates = list_devices(egl);
  if (options.prefer_software)
    std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_software; });
  sort_by_preference(candidates, options.cuda_device);

  std::string tried;
  for (const Candidate& candidate : candidates) {
    auto state = std::make_unique<State>();
    const std::string failure =
        open_device(egl, candidate, state->display, state->config, state->context);
    if (!failure.empty()) {
      tried += (tried.empty() ? "" : "; ") + candidate.label + ": " + failure;
      continue;
    }
    state->renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    state->is_software = candidate.is_software;
    state->cuda_device = candidate.cuda_device;
    state_ = std::move(state);
    return;
  }
  throw unavailable(!tried.empty()            ? tried
                    : options.prefer_software ? "EGL lists no software device"
                                              : "EGL lists no device");
}

HeadlessContext::HeadlessContext(std::unique_ptr<State> state) : state_(std::move(state)) {}

HeadlessContext::~HeadlessContext() = default;

void HeadlessContext::make_current() {
  eglBindAPI(EGL_OPENGL_API);  // of the calling thread
  if (eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, state_->context) != EGL_TRUE)
    throw unavailable("the context cannot be made current, " + egl_error());
}

void HeadlessContext::release() {
  eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

std::unique_ptr<HeadlessContext> HeadlessContext::shared() const {
  auto state = std::make_unique<State>();
  state->display = state_->display;
  state->config = state_->config;
  // What is bound is bound for the calling thread alone.
  eglBindAPI(EGL_OPENGL_API);
  state->context = create_context(state_->display, state_->config, state_->context);
  if (state->context == EGL_NO_CONTEXT) throw unavailable("no second context, " + egl_error());
  state->renderer = state_->renderer;
  state->is_software = state_->is_software;
  state->cuda_device = state_->cuda_device;
  return std::unique_ptr<HeadlessContext>(new HeadlessContext(std::move(state)));
}

const std::string& HeadlessContext::renderer() const { return state_->renderer; }
bool HeadlessContext::is_software() const { return state_->is_software; }
std::optional<int> HeadlessContext::cuda_device() const { return state_->cuda_device; }

}  // namespace warpview
