// Device arrays that begin at any alignment, between bytes that must not change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"

namespace warpview::test {

template <class T>
class Guarded {
 public:
  // Room for `count` items, `offset` items after an address aligned to 256 bytes.
  Guarded(Device& device, Stream& stream, std::size_t count, std::size_t offset)
      : stream_(stream),
        count_(count),
        offset_(guards + offset),
        memory_(device, offset_ + count + guards) {
    stream.fill(memory_.data(), guard_byte, memory_.bytes());
  }
  Guarded(Device& device, Stream& stream, const std::vector<T>& items, std::size_t offset)
      : Guarded(device, stream, items.size(), offset) {
    if (!items.empty())
      stream.copy(data(), items.data(), items.size() * sizeof(T), Copy::host_to_device);
    stream.synchronize();
  }

  T* data() const { return memory_.data() + offset_; }
  // The first `count` items. Returns nothing if the bytes around the array have changed.
  std::vector<T> download(std::size_t count = SIZE_MAX) const {
    const std::vector<T> all = memory_.download(stream_);
    const auto is_guard = [](const T& item) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(&item);
      return std::all_of(bytes, bytes + sizeof(T), [](std::uint8_t b) { return b == guard_byte; });
    };
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(offset_);
    const auto end = begin + static_cast<std::ptrdiff_t>(count_);
    if (!std::all_of(all.begin(), begin, is_guard) || !std::all_of(end, all.end(), is_guard))
      return {};
    return {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, count_))};
  }

 private:
  static constexpr std::uint8_t guard_byte = 0xcd;
  static constexpr std::size_t guards = 64;

  Stream& stream_;
  std::size_t count_, offset_;
  Buffer<T> memory_;
};

}  // namespace warpview::test
