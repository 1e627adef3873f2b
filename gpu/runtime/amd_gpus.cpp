#include "gpu/runtime/amd_gpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// The value of a name in a file of lines "name number"; 0 if it is absent.
unsigned property(const std::filesystem::path& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string name;
  unsigned long long value = 0;
  while (in >> name >> value)
    if (name == wanted) return static_cast<unsigned>(value);
  return 0;
}

}  // namespace

std::vector<std::string> amd_gpus(const std::filesystem::path& nodes) {
  std::vector<std::string> gpus;
  std::error_code none;
  for (const auto& node : std::filesystem::directory_iterator(nodes, none)) {
    // 90010 is gfx90a: major, minor and stepping, the latter two in hexadecimal. A CPU has 0.
    const unsigned version = property(node.path() / "properties", "gfx_target_version");
    if (version > 0)
      gpus.push_back(
          fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100));
  }
  std::sort(gpus.begin(), gpus.end());
  return gpus;
}

void check_compiled_for(const std::vector<std::string>& gpus,
                        const std::vector<std::string>& compiled) {
  for (const std::string& gpu : gpus)
    if (std::find(compiled.begin(), compiled.end(), gpu) == compiled.end())
      throw UnavailableError(
          "backend hip",
          fmt::format("this machine has a GPU of architecture {}, and the program was compiled for "
                      "{}",
                      gpu, fmt::join(compiled, " and ")),
          fmt::format("Build it with -DWARPVIEW_HIP_ARCHITECTURES={}, or hide that GPU by "
                      "ROCR_VISIBLE_DEVICES",
                      gpu));
}

}  // namespace warpview
