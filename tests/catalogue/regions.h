// The bytes of an array that an experiment names, in host or device memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "gpu/runtime/device.h"
#include "gpu/runtime/region.h"

namespace warpview::test {

// Waits for the stream.
inline std::vector<std::byte> read(Stream& stream, const Region& region) {
  std::vector<std::byte> bytes(region.bytes);
  if (bytes.empty()) return bytes;
  if (!region.on_host) stream.copy(bytes.data(), region.data, region.bytes, Copy::device_to_host);
  stream.synchronize();
  if (region.on_host) std::memcpy(bytes.data(), region.data, region.bytes);
  return bytes;
}

// Writes some bytes, from `offset` on.
inline void write(Stream& stream, const Region& region, std::size_t offset,
                  std::span<const std::byte> bytes) {
  std::byte* const to = static_cast<std::byte*>(region.data) + offset;
  if (!region.on_host) stream.copy(to, bytes.data(), bytes.size(), Copy::host_to_device);
  stream.synchronize();
  if (region.on_host) std::memcpy(to, bytes.data(), bytes.size());
}

}  // namespace warpview::test
