// Video files: animated WebP and GIF, and series of PNG files.
#pragma once

#include <memory>

#include "app/render/screenshot.h"
#include "app/video/plan.h"

namespace warpview {

// Takes the frames of a video in order. The file is there only after finish(): one that ends
// before leaves nothing behind, and what was there under this name stays. Of a series each file is
// whole at any time.
class VideoWriter {
 public:
  virtual ~VideoWriter() = default;

  // One more frame, in the plan's size. Error where it cannot be encoded or written.
  virtual void add(const Picture& frame) = 0;
  // After the last frame. Error where the file cannot be written.
  virtual void finish() = 0;
};

// Error as check_plan(), and where files of the series are there already, or a file could not be
// written to that folder.
std::unique_ptr<VideoWriter> open_video(const VideoPlan& plan);

namespace detail {
std::unique_ptr<VideoWriter> make_webp(const VideoPlan& plan);
std::unique_ptr<VideoWriter> make_gif(const VideoPlan& plan);
std::unique_ptr<VideoWriter> make_png_series(const VideoPlan& plan);
}  // namespace detail

}  // namespace warpview
