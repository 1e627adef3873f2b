#include "app/video/writer.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Before minutes of work go into a file that cannot be written. What happens to the folder later,
// writing it tells.
void require_folder(const std::string& file) {
  std::error_code none;
  const fs::path folder = fs::path(file).parent_path();
  const fs::path place = fs::exists(file, none) ? fs::path(file) : folder;
  if (access(place.empty() ? "." : place.c_str(), W_OK) == 0) return;
  throw Error(
      file,
      "the file cannot be written: " + std::error_code(errno, std::generic_category()).message(),
      "Check the folder and its permissions");
}

}  // namespace

std::unique_ptr<VideoWriter> open_video(const VideoPlan& plan) {
  check_plan(plan);
  const VideoFormat format = video_format(plan.file);
  if (format == VideoFormat::png) return detail::make_png_series(plan);
  require_folder(plan.file);
  return format == VideoFormat::webp ? detail::make_webp(plan) : detail::make_gif(plan);
}

}  // namespace warpview
