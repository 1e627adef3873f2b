// Managed memory attached to a stream.
//
// CUDA C++ Programming Guide, Unified Memory Programming, Managing Data Visibility and Concurrent
// CPU + GPU Access with Streams.
//
// Managed memory initially belongs to the whole device. Without concurrent access the host must
// then wait for every kernel of the program before it may touch a byte. Memory attached to one
// stream belongs to that stream's kernels alone. The host waits only for that stream, and the
// driver moves the array when that stream's kernels begin.

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // managed arrays, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Attached final : public memory::OnManaged {
 public:
  Attached(Stream& stream, const MemoryArgs& args) : OnManaged(stream, args) {
    for (const memory::Managed* memory : {&in_, &out_})
      memory::attach(stream, *memory, GPU_API(MemAttachSingle));
    stream.synchronize();  // from here on the attachment is in effect
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
