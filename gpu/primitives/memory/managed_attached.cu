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
    if (args.n == 0) return;
    for (const memory::Managed* memory : {&in_, &out_})
      check(GPU_API(StreamAttachMemAsync)(native(stream), memory->words(), 0,
                                          GPU_API(MemAttachSingle)),
            "attaching managed memory to a stream");
    stream.synchronize();  // the attachment holds from here on
  }
  void run() override {
    launch();
    read_output();
  }
};

}  // namespace

std::unique_ptr<Prepared> memory_attached(Stream& stream, const MemoryArgs& args) {
  return std::make_unique<Attached>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
