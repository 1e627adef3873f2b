// What a host has that schedules: streams beside the one that it is asked for, and memory in which
// fill levels arrive.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/runtime/device.h"

namespace warpview {

// Made once, as streams and page-locked memory are dear. The device must outlive it. Error where it
// has no stream or no such memory left.
class HostLoop {
 public:
  explicit HostLoop(Device& device) : device_(device) {}
  HostLoop(const HostLoop&) = delete;
  HostLoop& operator=(const HostLoop&) = delete;
  ~HostLoop() {
    if (memory_) device_.release_pinned(memory_);
  }

  // The i-th of the streams.
  Stream& stream(std::size_t i) {
    while (streams_.size() <= i) streams_.push_back(device_.create_stream());
    return *streams_[i];
  }
  // Page-locked memory of so many bytes at least. What an earlier call gave is no longer valid.
  void* memory(std::size_t bytes) {
    if (bytes > bytes_) {
      if (memory_) device_.release_pinned(memory_);
      memory_ = nullptr;
      bytes_ = 0;
      memory_ = device_.allocate_pinned(bytes);
      bytes_ = bytes;
    }
    return memory_;
  }

 private:
  Device& device_;
  std::vector<std::unique_ptr<Stream>> streams_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace warpview
