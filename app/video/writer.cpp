#include "app/video/writer.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Checked before minutes of work go into a file that cannot be written.
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
  if (format != VideoFormat::png) require_folder(plan.file);
#ifdef WARPVIEW_HAS_WEBP
  if (format == VideoFormat::webp) return detail::make_webp(plan);
#endif
#ifdef WARPVIEW_HAS_GIF
  if (format == VideoFormat::gif) return detail::make_gif(plan);
#endif
  return detail::make_png_series(plan);
}

void detail::cannot_encode(const VideoPlan& plan, const std::string& why) {
  throw Error(plan.file, "a frame cannot be encoded: " + why,
              "Choose a smaller size, or write NAME-%04d.png: a file for each frame");
}

}  // namespace warpview
