#include "gpu/runtime/backends.h"

#include <dlfcn.h>

#include <cstdlib>

#include "gpu/runtime/amd_gpus.h"
#include "gpu/runtime/module_path.h"
#include "gpu/runtime/vendor_device.h"

namespace warpview {
namespace {

constexpr Backend in_order_of_preference[] = {Backend::cuda, Backend::hip, Backend::cpu};

// What this file needs of a backend. Both functions throw UnavailableError with the reason.
struct Opener {
  std::vector<DeviceInfo> (*list_devices)();
  std::unique_ptr<Device> (*open_device)(int index);
};

[[noreturn, maybe_unused]] void throw_not_built(Backend backend, const char* reason,
                                                const char* remedy) {
  throw UnavailableError(std::string("backend ") + to_string(backend),
                         std::string("this program was ") + reason,
                         std::string(remedy) + "; --backend cpu needs no GPU");
}

Opener cuda_opener() {
#if defined(WARPVIEW_BUILT_CUDA)
  return {cuda::list_devices, cuda::open_device};
#else
  throw_not_built(Backend::cuda, WARPVIEW_CUDA_ABSENT, WARPVIEW_CUDA_REMEDY);
#endif
}

#if defined(WARPVIEW_BUILT_HIP)

// May HIP be called? A user who hides GPUs from it, or overrides their names, is trusted.
void check_amd_gpus() {
  for (const char* variable :
       {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION"})
    if (std::getenv(variable)) return;  // NOLINT(concurrency-mt-unsafe): nothing here sets them
  check_compiled_for(amd_gpus(), {WARPVIEW_HIP_ARCHITECTURES});
}

Opener load_hip_module() {
  check_amd_gpus();
  const auto path = module_path("libwarpview_hip.so", "WARPVIEW_HIP_MODULE");
  // Never unloaded: devices, streams and code of the module live as long as the program.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    throw UnavailableError("backend hip", dlerror(),
                           "Keep the module beside the program and install ROCm's runtime (Debian: "
                           "libamdhip64-5), or use --backend cpu");
  const auto entry = reinterpret_cast<HipModuleEntry*>(dlsym(module, hip_module_entry));
  if (!entry)
    throw UnavailableError("backend hip", path.string() + " is not Warpview's HIP module",
                           "Unset WARPVIEW_HIP_MODULE, or build again");
  return {entry()->list_devices, entry()->open_device};
}

Opener hip_opener() {
  static const Opener opener = load_hip_module();
  return opener;
}

#else

Opener hip_opener() { throw_not_built(Backend::hip, WARPVIEW_HIP_ABSENT, WARPVIEW_HIP_REMEDY); }

#endif

Opener opener_of(Backend backend) {
  return backend == Backend::cuda ? cuda_opener() : hip_opener();
}

bool is_built(Backend backend) {
  switch (backend) {
    case Backend::cuda:
#if defined(WARPVIEW_BUILT_CUDA)
      return true;
#else
      return false;
#endif
    case Backend::hip:
#if defined(WARPVIEW_BUILT_HIP)
      return true;
#else
      return false;
#endif
    case Backend::cpu:
      return true;
  }
  return false;
}

std::unique_ptr<Device> open_gpu(Backend backend, int index) {
  const Opener opener = opener_of(backend);
  if (index >= 0) return opener.open_device(index);
  std::string reasons;
  for (const DeviceInfo& info : opener.list_devices()) {
    try {
      return opener.open_device(info.index);
    } catch (const UnavailableError& error) {
      reasons += (reasons.empty() ? "" : " ") + std::string(error.what());
    }
  }
  throw UnavailableError(std::string("backend ") + to_string(backend), "none of its devices works",
                         reasons);
}

BackendStatus status_of_gpu(Backend backend) {
  BackendStatus status;
  status.backend = backend;
  status.built = is_built(backend);
  try {
    status.devices = opener_of(backend).list_devices();
    open_gpu(backend, -1);
    status.usable = true;
  } catch (const Error& error) {
    status.why = error.what();
  }
  return status;
}

}  // namespace

const char* to_string(Backend backend) {
  switch (backend) {
    case Backend::cuda:
      return "cuda";
    case Backend::hip:
      return "hip";
    case Backend::cpu:
      return "cpu";
  }
  return "unknown";
}

std::optional<Backend> parse_backend(std::string_view name) {
  if (name == "auto") return std::nullopt;
  for (const Backend backend : in_order_of_preference)
    if (name == to_string(backend)) return backend;
  throw Error("backend \"" + std::string(name) + "\"", "there is no backend of this name",
              "Choose auto, cuda, hip or cpu");
}

std::vector<BackendStatus> list_backends() {
  std::vector<BackendStatus> statuses;
  for (const Backend backend : in_order_of_preference) {
    if (backend == Backend::cpu) {
      statuses.push_back({.backend = backend,
                          .built = true,
                          .usable = true,
                          .why = {},
                          .devices = {open_cpu_device()->info()}});
    } else {
      statuses.push_back(status_of_gpu(backend));
    }
  }
  return statuses;
}

std::unique_ptr<Device> open_device(std::optional<Backend> backend, int index,
                                    const CpuOptions& cpu_options) {
  std::string reasons;
  for (const Backend candidate : in_order_of_preference) {
    if (backend && *backend != candidate) continue;
    try {
      if (candidate != Backend::cpu) return open_gpu(candidate, index);
      if (index <= 0) return open_cpu_device(cpu_options);
      throw UnavailableError("CPU device " + std::to_string(index), "there is only one",
                             "Omit --device");
    } catch (const UnavailableError& error) {
      if (backend) throw;
      reasons += (reasons.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  throw UnavailableError(reasons);
}

}  // namespace warpview
