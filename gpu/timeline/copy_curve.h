// How fast the device copies: the baseline for every stage's bandwidth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "gpu/runtime/device.h"

namespace warpview {

// Bandwidth of one device-to-device copy over its size, with warm caches as the stages of a frame
// find them (the laboratory's copies are cold, as its runs are), from 2^12 to 2^28 bytes where the
// device's memory and the time allowed permit. Measured in short steps and kept in a file per
// device and driver, so that it is measured once. The file is a cache: if it cannot be read or
// written, the curve is measured again.
class CopyCurve {
 public:
  struct Point {
    std::uint64_t bytes_moved = 0;  // read and written: twice the size of the copy
    double gb_per_s = 0.0;          // 10^9 bytes per second, of bytes_moved
  };

  // Reads the points from the file if it holds them. `folder` is empty: nothing is kept.
  // `most_seconds` bounds the whole measurement.
  explicit CopyCurve(Device& device, const std::filesystem::path& folder = default_folder());
  CopyCurve(Device& device, const std::filesystem::path& folder, double most_seconds);

  // Measures the next size. False if there is nothing left to measure. Error if the device fails;
  // points already measured stay.
  bool step();
  bool complete() const { return complete_; }

  // Bandwidth of a copy that reads and writes `bytes_moved` in all: interpolated over the logarithm
  // of the size, constant beyond the ends. 0 before the first step.
  double gb_per_s(std::uint64_t bytes_moved) const;
  // Bandwidth at the largest size measured; 0 before the first step.
  double largest_gb_per_s() const { return points_.empty() ? 0.0 : points_.back().gb_per_s; }
  const std::vector<Point>& points() const { return points_; }  // ascending

  // $XDG_CACHE_HOME/warpview, else ~/.cache/warpview; empty where neither is known.
  static std::filesystem::path default_folder();
  const std::filesystem::path& file() const { return file_; }

 private:
  void load();
  void save() const;
  double measure(std::size_t size);

  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Event> begin_, end_;
  std::filesystem::path file_;
  std::vector<Point> points_;
  double seconds_left_;
  bool complete_ = false;
};

}  // namespace warpview
