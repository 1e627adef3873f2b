// Times of device work, by the device's own clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/statistics.h"

namespace warpview::lab {

// The state of the device when the work is queued.
enum class Start {
  queued,  // while the device is still busy, which hides the host's part of the launches
  idle     // when the device is idle: the host's part counts
};

// Brackets work with two events, with cold caches: before each run it fills a buffer larger than
// they are.
class Stopwatch {
 public:
  explicit Stopwatch(Device& device)
      : begin_(device.create_event()),
        end_(device.create_event()),
        flushed_(device, device.info().backend == Backend::cpu ? 64U << 20U : 256U << 20U) {}

  // Milliseconds of what `work()` queues on the stream; waits for it. What `before()` queues stays
  // in the caches.
  template <class Work>
  double time(Stream& stream, Work&& work, Start start = Start::queued) {
    return time(stream, std::forward<Work>(work), start, [] {});
  }
  template <class Work, class Before>
  double time(Stream& stream, Work&& work, Start start, Before&& before) {
    stream.fill(flushed_.data(), 0, flushed_.bytes());
    before();
    if (start == Start::idle) stream.synchronize();
    stream.record(*begin_);
    work();
    stream.record(*end_);
    stream.synchronize();
    return end_->milliseconds_since(*begin_);
  }
  // Warms up a GPU that waited, for example while the host compared results: it has lowered its
  // clocks meanwhile, and takes some milliseconds to raise them.
  void warm_up(Stream& stream) {
    if (stream.device().info().backend == Backend::cpu) return;
    for (double spent = 0.0; spent < 20.0; spent += end_->milliseconds_since(*begin_)) {
      stream.record(*begin_);
      stream.fill(flushed_.data(), 0, flushed_.bytes());
      stream.record(*end_);
      stream.synchronize();
    }
  }
  std::size_t flushed_bytes() const { return flushed_.bytes(); }

 private:
  std::unique_ptr<Event> begin_, end_;
  Buffer<std::byte> flushed_;
};

// Memcpy bandwidth of the device, with cold caches as the rows are timed: the baseline of every
// row.
class CopyRate {
 public:
  CopyRate(Device& device, Stream& stream, Stopwatch& stopwatch)
      : device_(device), stream_(stream), stopwatch_(stopwatch) {}

  // GB/s of a device-to-device copy that moves `bytes` in all, reads and writes together. Copies
  // larger than `most_bytes` are not faster, so they get its rate.
  double gb_per_s(double bytes) {
    const std::size_t size = std::max<std::size_t>(
        static_cast<std::size_t>(std::min(bytes, most_bytes) / 2), sizeof(std::uint32_t));
    const auto known = rates_.find(size);
    if (known != rates_.end()) return known->second;
    const Buffer<std::byte> from(device_, size);
    const Buffer<std::byte> to(device_, size);
    stream_.fill(from.data(), 1, size);
    std::vector<double> times(21);
    for (double& time : times)
      time = stopwatch_.time(
          stream_, [&] { stream_.copy(to.data(), from.data(), size, Copy::device_to_device); });
    return rates_[size] = 2.0 * static_cast<double>(size) / median(times) * 1e-6;
  }

 private:
  static constexpr double most_bytes = 1U << 30U;

  Device& device_;
  Stream& stream_;
  Stopwatch& stopwatch_;
  std::map<std::size_t, double> rates_;
};

}  // namespace warpview::lab
