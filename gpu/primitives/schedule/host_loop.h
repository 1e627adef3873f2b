// The resources of a host that schedules: additional streams, and memory in which fill levels
// arrive.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/runtime/device.h"

namespace warpview {

// Made once, because streams and page-locked memory are expensive. The device must outlive it.
// Throws Error where it has no stream or no such memory left.
class HostLoop {
 public:
  explicit HostLoop(Device& device) : device_(device) {}
  HostLoop(const HostLoop&) = delete;
  HostLoop& operator=(const HostLoop&) = delete;
  ~HostLoop() {
    if (memory_) device_.release_pinned(memory_);
  }

  // The i-th stream.
  Stream& stream(std::size_t i) {
    while (streams_.size() <= i) streams_.push_back(device_.create_stream());
    return *streams_[i];
  }
  // Page-locked memory of at least `bytes` bytes. It invalidates what an earlier call returned.
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
