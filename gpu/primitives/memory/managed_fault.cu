// Managed memory without a hint: pages move when they are touched.
//
// CUDA C++ Programming Guide, Unified Memory Programming.
//
// The shortest program of all. Where the device can fault on a page (compute capability 6.0 and
// newer, on Linux), each first touch stops a warp until the page has come over the bus: many small
// transfers, none of them foreseen. What the kernel wrote comes back the same way, when the host
// reads it.

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // arrays in managed memory, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Faulting final : public memory::OnManaged {
 public:
  Faulting(Stream& stream, const MemoryArgs& args) : OnManaged(stream, args) {}
  void run() override {
    launch();
    read_output();
  }
};

}  // namespace

std::unique_ptr<Prepared> memory_managed(Stream& stream, const MemoryArgs& args) {
  return std::make_unique<Faulting>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
