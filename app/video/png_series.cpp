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

// New folders. Those that are empty in the end are removed again.
class NewFolders {
 public:
  NewFolders() = default;
  ~NewFolders() {
    std::error_code none;
    for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), none);
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  // Makes it and those above it that do not exist.
  void make(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::exists(folder, error)) return;
    make(folder.parent_path());
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error)
      throw Error(folder.string(), "the folder cannot be created: " + error.message(),
                  "Check the name and the permissions");
  }

 private:
  std::vector<fs::path> made_;  // the outermost first
};

class PngSeries final : public VideoWriter {
 public:
  explicit PngSeries(const VideoPlan& plan) : pattern_(plan.file) {
    // The two series would mix.
    std::error_code none;
    for (std::uint64_t frame = 0; frame < VideoPlan::most_frames; ++frame)
      if (const std::string file = frame_file(pattern_, frame); fs::exists(file, none))
        throw Error(file, "this frame of a series exists already",
                    "Remove the old series, or choose another name");
    folders_.make(fs::path(pattern_).parent_path());
  }
  ~PngSeries() override {
    std::error_code none;
    for (const std::string& file : written_) fs::remove(file, none);
  }
  PngSeries(const PngSeries&) = delete;
  PngSeries& operator=(const PngSeries&) = delete;

  void add(const Picture& frame) override {
    std::string file = frame_file(pattern_, frames_++);
    write_png(file, frame);
    written_.push_back(std::move(file));
  }
  void finish() override { written_.clear(); }

 private:
  const std::string pattern_;
  std::uint64_t frames_ = 0;
  NewFolders folders_;                // outlive the files in them
  std::vector<std::string> written_;  // removed with an unfinished series
};

}  // namespace

std::unique_ptr<VideoWriter> detail::make_png_series(const VideoPlan& plan) {
  return std::make_unique<PngSeries>(plan);
}

}  // namespace warpview
