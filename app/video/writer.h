// Video files: animated WebP and GIF, and series of PNG files.
#pragma once

#include <memory>
#include <string>

#include "app/render/screenshot.h"
#include "app/video/plan.h"

namespace warpview {

// Takes the frames of a video in order. finish() writes the file. A writer that is destroyed before
// leaves nothing behind, and a file that has this name already stays as it was. A series is written
// frame by frame, each file whole at any time: a process that is killed leaves the frames so far.
class VideoWriter {
 public:
  virtual ~VideoWriter() = default;

  // One more frame, in the plan's size. Error where it cannot be encoded or written.
  virtual void add(const Picture& frame) = 0;
  // After the last frame. Error where the file cannot be written.
  virtual void finish() = 0;
};

// Error as check_plan(), where a frame of the series exists already, and where the folder cannot be
// written to.
std::unique_ptr<VideoWriter> open_video(const VideoPlan& plan);

namespace detail {
// What a library refuses is an Error with its reason.
[[noreturn]] void cannot_encode(const VideoPlan& plan, const std::string& why);
// Only where the libraries were there when this was built.
std::unique_ptr<VideoWriter> make_webp(const VideoPlan& plan);
std::unique_ptr<VideoWriter> make_gif(const VideoPlan& plan);
std::unique_ptr<VideoWriter> make_png_series(const VideoPlan& plan);
}  // namespace detail

}  // namespace warpview
