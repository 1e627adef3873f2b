#include "app/panels/saved_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

namespace warpview {
namespace {

namespace fs = std::filesystem;
constexpr int most = 1000;

}  // namespace

fs::path pictures_folder() {
  std::error_code error;
  if (const char* const asked = std::getenv("XDG_PICTURES_DIR"))
    if (fs::path(asked).is_absolute() && fs::is_directory(asked, error)) return asked;
  if (const char* const home = std::getenv("HOME"))
    if (fs::path usual = fs::path(home) / "Pictures"; fs::is_directory(usual, error)) return usual;
  return fs::current_path(error);
}

std::string free_screenshot() {
  std::error_code error;
  const fs::path folder = pictures_folder();
  fs::path file;
  for (int n = 1; n < most; ++n) {
    file = folder / fmt::format("warpview-{:03}.png", n);
    if (!fs::exists(file, error)) break;
  }
  return file.string();
}

std::string free_file(const std::string& stem, const std::string& extension) {
  std::error_code error;
  std::string file = stem + extension;
  for (int n = 2; n < most && fs::exists(file, error); ++n)
    file = fmt::format("{}-{}{}", stem, n, extension);
  return file;
}

}  // namespace warpview
