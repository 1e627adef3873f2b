// Managed memory with prefetch and advice.
//
// CUDA C++ Programming Guide, Unified Memory Programming, Data Prefetching and Data Usage Hints.
//
// The program knows what the driver can only learn by faults: the device needs the input next, and
// the host needs the output after that. Prefetches queue those moves in the stream, in large
// pieces, before and after the kernel. The advice says where pages should reside: the output on the
// device, so that the kernel's first touch puts it there. Both need a device with concurrent access
// (concurrentManagedAccess).

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // managed arrays, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Prefetching final : public memory::OnManaged {
 public:
  Prefetching(Stream& stream, const MemoryArgs& args) : OnManaged(stream, args) {
    memory::need_concurrent_access(stream, "prefetching managed memory");
    memory::advise(MemoryAdvice::preferred, out_, stream);
  }

  void run() override {
    memory::prefetch_to(stream_.device().info().index, in_, stream_);
    launch();
    memory::prefetch_to(memory::host_place, out_, stream_);
    read_output();
  }
};

}  // namespace

std::unique_ptr<Prepared> memory_prefetch(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, 0);
  return std::make_unique<Prefetching>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
