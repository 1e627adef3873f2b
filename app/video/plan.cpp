#include "app/video/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// The place of the number in a file's name.
struct Number {
  std::size_t begin = 0;
  std::size_t length = 0;
  int digits = 1;  // at least
};

// The place of "%d" or "%04d"; none where the name has no such place or more than one %.
std::optional<Number> number_in(std::string_view name) {
  constexpr std::string_view figures = "0123456789";
  const std::size_t begin = name.find('%');
  if (begin == std::string_view::npos || name.find('%', begin + 1) != std::string_view::npos)
    return {};
  const std::size_t end = std::min(name.find_first_not_of(figures, begin + 1), name.size());
  if (end == name.size() || name[end] != 'd') return {};
  const std::string_view width = name.substr(begin + 1, end - begin - 1);
  // "%04d": a zero and one digit.
  if (!width.empty() && (width.size() != 2 || width[0] != '0' || width[1] == '0')) return {};
  return Number{begin, end + 1 - begin, width.empty() ? 1 : width[1] - '0'};
}

std::string name_of(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

std::string missing([[maybe_unused]] VideoFormat format) {
#ifndef WARPVIEW_HAS_WEBP
  if (format == VideoFormat::webp) return "libwebp-dev";
#endif
#ifndef WARPVIEW_HAS_GIF
  if (format == VideoFormat::gif) return "libgif-dev";
#endif
  return {};
}

void check_size(const VideoPlan& plan) {
  if (plan.width < 1 || plan.height < 1 ||
      std::max(plan.width, plan.height) > VideoPlan::largest_side)
    throw Error(plan.file, fmt::format("{} x {} is not a size of a video", plan.width, plan.height),
                fmt::format("Choose 1 to {} pixels a side", VideoPlan::largest_side));
  const std::uint64_t frames = plan.frames();
  if (frames > VideoPlan::most_frames)
    throw Error(plan.file, fmt::format("{} frames are too many", frames),
                fmt::format("Choose fewer seconds or a lower rate: at most {} frames",
                            VideoPlan::most_frames));
  const std::uint64_t pixels =
      frames * static_cast<std::uint64_t>(plan.width) * static_cast<std::uint64_t>(plan.height);
  if (pixels > VideoPlan::most_pixels)
    throw Error(plan.file,
                fmt::format("{} frames of {} x {} are {:.1f} billion pixels", frames, plan.width,
                            plan.height, static_cast<double>(pixels) * 1e-9),
                fmt::format("Choose a smaller size, fewer seconds or a lower rate: at most {} "
                            "billion pixels together",
                            VideoPlan::most_pixels / 1'000'000'000));
}

}  // namespace

std::uint64_t VideoPlan::frames() const {
  return static_cast<std::uint64_t>(std::max(std::llround(seconds * rate), 1LL));
}

int VideoPlan::begin_of(std::uint64_t frame, double units_in_second) const {
  return static_cast<int>(std::lround(units_in_second * static_cast<double>(frame) / rate));
}

VideoFormat video_format(const std::string& file) {
  const std::string name = name_of(file);
  const std::string end = std::filesystem::path(name).extension().string();
  if (end == ".webp") return VideoFormat::webp;
  if (end == ".gif") return VideoFormat::gif;
  if (end == ".png" && number_in(name)) return VideoFormat::png;
  throw Error(file, "this is not the name of a video",
              "Write NAME.webp, NAME.gif or NAME-%04d.png, a file for each frame");
}

std::string frame_file(const std::string& pattern, std::uint64_t frame) {
  const std::filesystem::path path(pattern);
  std::string name = path.filename().string();
  if (const auto number = number_in(name))
    name.replace(number->begin, number->length, fmt::format("{:0{}}", frame, number->digits));
  return (path.parent_path() / name).string();
}

void check_plan(const VideoPlan& plan) {
  const VideoFormat format = video_format(plan.file);
  if (const std::string package = missing(format); !package.empty())
    throw Error(plan.file, "this program was built without this format",
                fmt::format("Install the package {} and build again, or write "
                            "NAME-%04d.png: a file for each frame",
                            package));
  const auto within = [&plan](const char* what, double value, double least, double most) {
    if (!(value >= least && value <= most))
      throw Error(plan.file, fmt::format("{} {} is out of range", value, what),
                  fmt::format("Choose {} to {}", least, most));
  };
  within("seconds", plan.seconds, VideoPlan::least_seconds, VideoPlan::most_seconds);
  within("frames a second", plan.rate, VideoPlan::least_rate,
         format == VideoFormat::gif ? VideoPlan::most_gif_rate : VideoPlan::most_rate);
  if (plan.transparent && format == VideoFormat::gif)
    throw Error(plan.file, "a GIF has no smooth edges over transparency",
                "Write a .webp or .png instead");
  check_size(plan);
}

}  // namespace warpview
