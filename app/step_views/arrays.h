// Arrays of recordings, read with care: a file may have any, of any size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

inline std::uint32_t elements_of(const RecordedArray& array) {
  return array.bytes / array.element_bytes;
}

// The first array of device memory of that name that has elements of so many bytes (0: of any size)
// and at least so many of them.
std::optional<std::uint32_t> find_array(const Recording& recording, std::string_view name,
                                        std::uint32_t element_bytes, std::uint32_t least = 1);

// What an array of device memory holds after the run.
std::vector<std::uint8_t> contents_after(const Recording& recording, std::uint32_t array);

// The number at a byte offset; bytes behind the end are 0.
template <class T>
T number_at(std::span<const std::uint8_t> bytes, std::size_t offset = 0) {
  T value{};
  if (offset < bytes.size())
    std::memcpy(&value, bytes.data() + offset, std::min(sizeof value, bytes.size() - offset));
  return value;
}

// The element at an index as a number, from its first 8 bytes; 0 behind the end.
inline std::uint64_t element_at(std::span<const std::uint8_t> bytes, std::uint32_t element_bytes,
                                std::size_t index) {
  const std::size_t offset = index * element_bytes;
  if (offset + element_bytes > bytes.size()) return 0;
  return number_at<std::uint64_t>(bytes.subspan(offset, element_bytes));
}

}  // namespace warpview::step_views
