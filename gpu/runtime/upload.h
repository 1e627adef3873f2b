// Uploads of host memory by the fastest path of a device.
#pragma once

#include <cstddef>

namespace warpview {

class Device;
class Stream;

// Queues the copy of `bytes` bytes of the host to the device; `from` must live until the stream has
// passed it. Large copies go through blocks of page-locked memory (gpu/runtime/staging.h), where
// the device gains by it and has the memory.
void upload(Stream& stream, void* to, const void* from, std::size_t bytes);

// Makes ready what a device's first large upload would otherwise have to wait for. Call it while
// waiting for something else, on any thread.
void prepare_uploads(Device& device);

}  // namespace warpview
