// Managed memory attached to a stream.
//
// CUDA C++ Programming Guide, Unified Memory Programming, Managing Data Visibility and Concurrent
// CPU + GPU Access with Streams.
//
// Managed memory belongs to the whole device at first: where host and device cannot access it at
// the same time, the host must wait for every kernel of the program before it may touch a byte.
// Attached to one stream it belongs to that stream's kernels alone; the host waits for that stream
// and no other, and the driver moves the array when that stream's kernels begin.

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // arrays in managed memory, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Attached final : public memory::OnManaged {
 public:
  Attached(Stream& stream, const MemoryArgs& args) : OnManaged(stream, args) {
    for (const memory::Managed* memory : {&in_, &out_})
      memory::attach(stream, *memory, GPU_API(MemAttachSingle));
    stream.synchronize();  // the attachment holds from here on
  }
  void run() override {
    launch();
    read_output();
  }
};

}  // namespace

std::unique_ptr<Prepared> memory_attached(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, 0);
  return std::make_unique<Attached>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
