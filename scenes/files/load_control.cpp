#include "scenes/files/load_control.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>

namespace warpview {
namespace {

std::string in_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

}  // namespace

std::uint64_t available_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<std::uint64_t>::max();
}

void LoadLimits::require_corners(const std::string& what, std::uint64_t needed) const {
  if (needed <= corners) return;
  throw Error(what,
              fmt::format("needs {} triangle corners, at most {} can be handled", needed, corners),
              "Split the mesh or reduce its number of faces");
}

void LoadLimits::require_memory(const std::string& what, std::uint64_t needed) const {
  if (needed <= memory) return;
  throw Error(what,
              fmt::format("needs about {} of memory, {} are available", in_mebibytes(needed),
                          in_mebibytes(memory)),
              "Close other programs, split the mesh or reduce its number of faces");
}

}  // namespace warpview
