// What a video shows: a stretch of time, or one revolution around the model.
#pragma once

#include <cstdint>
#include <string>

namespace warpview {

struct VideoPlan {
  static constexpr double least_seconds = 0.1;
  static constexpr double most_seconds = 600.0;
  static constexpr double least_rate = 1.0;  // frames a second
  static constexpr double most_rate = 60.0;
  static constexpr double most_gif_rate = 50.0;  // browsers slow faster ones down
  static constexpr std::uint64_t most_frames = 10'000;
  static constexpr std::uint64_t most_pixels = 2'000'000'000;  // of all frames together
  static constexpr int largest_side = 16'383;                  // WebP has no larger ones

  // Ends in .webp or .gif, or in .png with one %d or %0Nd in its name for the frame's number, from
  // 0.
  std::string file;
  bool turntable = false;  // the camera goes once around the model, and ends where it began
  double seconds = 4.0;
  double rate = 25.0;
  int width = 0;  // pixels
  int height = 0;
  bool transparent = false;  // no background; not in a GIF

  // At least one.
  std::uint64_t frames() const;
  // When a frame begins, in whole units of time; for frames(): when the video ends.
  int begin_of(std::uint64_t frame, double units_in_second) const;
};

enum class VideoFormat { webp, gif, png };

// By the name of the file. Error for any other name.
VideoFormat video_format(const std::string& file);
// "frame-%04d.png" and 7: "frame-0007.png".
std::string frame_file(const std::string& pattern, std::uint64_t frame);
// Error, before any work is done, where a value is out of range, the video is too large, or this
// program was built without its format.
void check_plan(const VideoPlan& plan);

}  // namespace warpview
