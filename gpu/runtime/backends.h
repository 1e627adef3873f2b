// Which backends this program contains, which of them work on this machine, and how to open one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/device.h"

namespace warpview {

struct BackendStatus {
  Backend backend = Backend::cpu;
  bool built = false;   // does this program contain it?
  bool usable = false;  // did a kernel run on its first device?
  std::string why;      // why it is not built or not usable; empty if it is
  std::vector<DeviceInfo> devices;
};

// All three, in the order in which `auto` tries them: cuda, hip, cpu.
std::vector<BackendStatus> list_backends();

// Opens device `index` of a backend; -1 stands for the first that works. Without a backend, the
// first GPU that works, else the CPU. UnavailableError with the reasons if there is no such device.
std::unique_ptr<Device> open_device(std::optional<Backend> backend = {}, int index = -1,
                                    const CpuOptions& cpu_options = {});

// "cuda", "hip" or "cpu"; nullopt for "auto". Error for any other word.
std::optional<Backend> parse_backend(std::string_view name);

}  // namespace warpview
