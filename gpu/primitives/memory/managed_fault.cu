// Managed memory without hints, or with advice: pages migrate when they are touched.
//
//   CUDA C++ Programming Guide, Unified Memory Programming; Data Usage Hints.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// This is the shortest program of all. Where the device can fault on a page (compute capability 6.0
// and newer, on Linux), each first touch stalls a warp until the page has come over the bus: many
// small, unforeseen transfers. The kernel's output returns in the same way, when the host reads it.
//
// When both sides access the same pages in turns, these migrate each time. Advice changes that, but
// moves nothing by itself:
//
//   preferred     a page stays on the device. The host accesses it there if the hardware can;
//                 otherwise the page still migrates
//   accessed_by   a page stays where it is; the device maps it and reads it over the bus
//   read_mostly   a page that is read gets a copy on either side. The first write by either side
//                 ends the copies
//
// The last is meant for a table that both sides read, and is the worst choice for pages that both
// write.

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // managed arrays, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Faulting final : public memory::OnManaged {
 public:
  Faulting(Stream& stream, const MemoryArgs& args) : OnManaged(stream, args) {
    if (args.advice == MemoryAdvice::none) return;
    memory::need_concurrent_access(stream, "advice about managed memory");
    memory::advise(args.advice, in_, stream);
  }

  void run() override {
    switch (args_.task) {
      case MemoryTask::round_trip:
        launch();
        break;
      case MemoryTask::table:
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn) {
          stream_.synchronize();
          launch(1 + memory_sum(in_.words(), args_.n));
        }
        break;
      case MemoryTask::turns:
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn) {
          launch();
          stream_.synchronize();
          memory_touch(in_.words(), args_.n);
        }
        return;
    }
    read_output();
  }
};

}  // namespace

std::unique_ptr<Prepared> memory_managed(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, MemoryTrait::takes_turns | MemoryTrait::advised);
  return std::make_unique<Faulting>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
