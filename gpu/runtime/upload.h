// Uploads of memory of the host, whichever way is the fastest on a device.
#pragma once

#include <cstddef>

namespace warpview {

class Device;
class Stream;

// Queues the copy of `bytes` bytes of the host to the device; `from` must live until the stream has
// passed it. What is large goes through blocks of page-locked memory (gpu/runtime/staging.h), where
// the device gains by it and has the memory.
void upload(Stream& stream, void* to, const void* from, std::size_t bytes);

// Takes for a device what its first large upload would otherwise have to wait for: to be called
// while something else is being waited for, on any thread.
void prepare_uploads(Device& device);

}  // namespace warpview
