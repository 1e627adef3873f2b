// Typed device memory with an owner.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/runtime/device.h"
#include "gpu/runtime/upload.h"

namespace warpview {

// `size()` elements of T on one device. Movable, not copyable. Initial contents are undefined.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is copied byte by byte");

 public:
  Buffer() = default;
  Buffer(Device& device, std::size_t count)
      : device_(&device),
        data_(count ? static_cast<T*>(device.allocate(count * sizeof(T))) : nullptr),
        count_(count) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer gone;
    gone.swap(*this);
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_) device_->release(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  // `host` must live until the stream has passed the copy.
  void upload(Stream& stream, std::span<const T> host) {
    if (host.size() > count_) throw Error("upload of too many elements into a device buffer");
    stream.copy(data_, host.data(), host.size_bytes(), Copy::host_to_device);
  }
  // Uploads by the device's fastest path for large sizes (gpu/runtime/upload.h).
  void upload_much(Stream& stream, std::span<const T> host) {
    if (host.size() > count_) throw Error("upload of too many elements into a device buffer");
    warpview::upload(stream, data_, host.data(), host.size_bytes());
  }
  // Waits for the stream. Reads the first `count` elements, all by default.
  std::vector<T> download(Stream& stream, std::size_t count = SIZE_MAX) const {
    std::vector<T> host(count < count_ ? count : count_);
    if (!host.empty())
      stream.copy(host.data(), data_, host.size() * sizeof(T), Copy::device_to_host);
    stream.synchronize();
    return host;
  }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace warpview
