// Where the modules lie that the program loads at run time.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace warpview {

// Beside the program, or in lib/ beside its folder once installed. Taken from the environment
// variable if that is set.
inline std::filesystem::path module_path(const char* file, const char* variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
  if (const char* chosen = std::getenv(variable)) return chosen;
  std::error_code no_proc;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", no_proc).parent_path();
  const auto installed = folder.parent_path() / "lib" / file;
  return std::filesystem::exists(installed) ? installed : folder / file;
}

}  // namespace warpview
