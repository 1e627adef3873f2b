// A PNG file for each frame.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "app/video/writer.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

class PngSeries final : public VideoWriter {
 public:
  explicit PngSeries(const VideoPlan& plan) : pattern_(plan.file) {
    // Frames of another series would stay among those of this one.
    std::error_code none;
    for (std::uint64_t frame = 0; frame < VideoPlan::most_frames; ++frame)
      if (const std::string file = frame_file(pattern_, frame); fs::exists(file, none))
        throw Error(file, "this frame of a series is there already",
                    "Remove the old series, or choose another name");
    make_folders(fs::path(pattern_).parent_path());
  }
  ~PngSeries() override {
    std::error_code none;
    for (const std::string& file : written_) fs::remove(file, none);
    while (!made_.empty()) {
      fs::remove(made_.back(), none);
      made_.pop_back();
    }
  }
  PngSeries(const PngSeries&) = delete;
  PngSeries& operator=(const PngSeries&) = delete;

  void add(const Picture& frame) override {
    std::string file = frame_file(pattern_, frames_++);
    write_png(file, frame);
    written_.push_back(std::move(file));
  }
  void finish() override {
    written_.clear();
    made_.clear();
  }

 private:
  // And notes them, the outermost first.
  void make_folders(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::exists(folder, error)) return;
    make_folders(folder.parent_path());
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error)
      throw Error(folder.string(), "the folder cannot be made: " + error.message(),
                  "Check the name and the permissions");
  }

  const std::string pattern_;
  std::uint64_t frames_ = 0;
  std::vector<std::string> written_;  // that go with an unfinished series
  std::vector<fs::path> made_;
};

}  // namespace

std::unique_ptr<VideoWriter> detail::make_png_series(const VideoPlan& plan) {
  return std::make_unique<PngSeries>(plan);
}

}  // namespace warpview
