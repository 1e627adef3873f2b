#include "gpu/timeline/copy_curve.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/statistics.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

constexpr std::size_t smallest = std::size_t{1} << 12U;
constexpr std::size_t largest = std::size_t{1} << 28U;
constexpr int repeats = 7;  // the median of them counts

// The CPU copies a thousand times slower than a GPU and needs the same cores to answer the user.
double default_seconds(const Device& device) {
  return device.info().backend == Backend::cpu ? 0.3 : 1.0;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// "copy-NVIDIA-H200-12-4.json": letters and digits only, the rest becomes '-'.
std::string file_name(const DeviceInfo& info) {
  std::string name =
      std::string("copy-") + to_string(info.backend) + "-" + info.name + "-" + info.driver;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return name + ".json";
}

}  // namespace

CopyCurve::CopyCurve(Device& device, const std::filesystem::path& folder)
    : CopyCurve(device, folder, default_seconds(device)) {}

CopyCurve::CopyCurve(Device& device, const std::filesystem::path& folder, double most_seconds)
    : device_(device),
      stream_(device.create_stream()),
      begin_(device.create_event()),
      end_(device.create_event()),
      file_(folder.empty() ? folder : folder / file_name(device.info())),
      seconds_left_(most_seconds) {
  if (!file_.empty()) load();
}

std::filesystem::path CopyCurve::default_folder() {
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing here sets the environment
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return std::filesystem::path(cache) / "warpview";
  const char* home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  if (home && *home == '/') return std::filesystem::path(home) / ".cache" / "warpview";
  return {};
}

bool CopyCurve::step() {
  if (complete_) return false;
  const std::size_t size =
      points_.empty() ? smallest : points_.back().bytes_moved;  // twice the last
  const double begin = seconds_now();
  points_.push_back({2 * size, static_cast<double>(2 * size) / measure(size) * 1e-6});
  const double spent = seconds_now() - begin;

  seconds_left_ -= spent;
  // The next size takes at most about twice as long. Both its buffers may take an eighth of the
  // free memory: other work on the device may want memory too.
  const std::size_t next = 2 * size;
  complete_ =
      next > largest || 2 * spent > seconds_left_ || 2 * next > device_.memory_available() / 8;
  if (complete_) save();
  return !complete_;
}

// Milliseconds of one copy of `size` bytes.
double CopyCurve::measure(std::size_t size) {
  const Buffer<std::byte> from(device_, size);
  const Buffer<std::byte> to(device_, size);
  // The first copy touches memory that was never used, and is not counted.
  stream_->fill(from.data(), 0, size);
  stream_->copy(to.data(), from.data(), size, Copy::device_to_device);
  std::vector<double> milliseconds(repeats);
  for (double& time : milliseconds) {
    stream_->record(*begin_);
    stream_->copy(to.data(), from.data(), size, Copy::device_to_device);
    stream_->record(*end_);
    stream_->synchronize();
    time = end_->milliseconds_since(*begin_);
  }
  constexpr double clock_tick = 1e-6;  // a copy between two clock ticks still takes some time
  return std::max(median(milliseconds), clock_tick);
}

double CopyCurve::gb_per_s(std::uint64_t bytes_moved) const {
  if (points_.empty()) return 0.0;
  const auto above = std::lower_bound(
      points_.begin(), points_.end(), bytes_moved,
      [](const Point& point, std::uint64_t bytes) { return point.bytes_moved < bytes; });
  if (above == points_.begin()) return points_.front().gb_per_s;
  if (above == points_.end()) return points_.back().gb_per_s;
  const Point& below = *(above - 1);
  const double low = std::log2(static_cast<double>(below.bytes_moved));
  const double high = std::log2(static_cast<double>(above->bytes_moved));
  const double at = (std::log2(static_cast<double>(bytes_moved)) - low) / (high - low);
  return std::lerp(below.gb_per_s, above->gb_per_s, at);
}

void CopyCurve::load() {
  std::ifstream in(file_);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  const DeviceInfo& info = device_.info();
  if (!json.is_object() || json.value("device", nlohmann::json()) != info.name ||
      json.value("driver", nlohmann::json()) != info.driver)
    return;
  const auto points = json.find("points");
  if (points == json.end() || !points->is_array()) return;
  std::vector<Point> read;
  for (const auto& point : *points) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number_unsigned() ||
        !point[1].is_number())
      return;
    read.push_back({point[0].get<std::uint64_t>(), point[1].get<double>()});
    const bool ascends =
        read.size() == 1 || (read.end() - 2)->bytes_moved < read.back().bytes_moved;
    if (!ascends || read.back().bytes_moved == 0 || !(read.back().gb_per_s > 0.0)) return;
  }
  if (read.empty()) return;
  points_ = std::move(read);
  complete_ = true;
}

void CopyCurve::save() const {
  if (file_.empty()) return;
  nlohmann::json points = nlohmann::json::array();
  for (const Point& point : points_) points.push_back({point.bytes_moved, point.gb_per_s});
  const nlohmann::json json = {
      {"device", device_.info().name}, {"driver", device_.info().driver}, {"points", points}};

  std::error_code ignored;  // see the class: the file is a cache
  std::filesystem::create_directories(file_.parent_path(), ignored);
  try {
    write_whole_file(file_, json.dump() + '\n');
  } catch (const Error&) {
    // Ignored, too.
  }
}

}  // namespace warpview
