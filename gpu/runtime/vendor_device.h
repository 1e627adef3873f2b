// The devices of the two vendors, cuda and hip (gpu/runtime/vendor_device.cu, compiled for each).
// Host code opens them through gpu/runtime/backends.h.
#pragma once

#include <memory>
#include <vector>

#include "gpu/runtime/device.h"

namespace warpview {

namespace cuda {
// Every device of this backend. UnavailableError with the reason if there is none.
std::vector<DeviceInfo> list_devices();
// Opens device `index` and runs a small kernel on it. UnavailableError if that fails.
std::unique_ptr<Device> open_device(int index);
}  // namespace cuda

// These two functions of hip, which lies in a module that is loaded at run time.
struct HipModule {
  std::vector<DeviceInfo> (*list_devices)();
  std::unique_ptr<Device> (*open_device)(int index);
};
// The one symbol that is looked up in the module.
inline constexpr const char* hip_module_entry = "warpview_hip_module";
using HipModuleEntry = const HipModule*();

}  // namespace warpview
