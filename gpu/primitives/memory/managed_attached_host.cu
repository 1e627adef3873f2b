// Managed memory that belongs to the host until a kernel needs it.
//
//   CUDA C++ Programming Guide, Unified Memory Programming, Managing Data Visibility and Concurrent
//   CPU + GPU Access with Streams.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// An array allocated with cudaMemAttachHost belongs to the host: it may be written while any
// kernels run, even without concurrent access to managed memory. Before the launch that needs it,
// the array is attached to that launch's stream, and afterwards to the host again. Both are work of
// the stream, in order with the kernel. Between two runs the host never has to wait for more than
// this one stream.

#if !defined(WARPVIEW_BACKEND_CPU)

#include <algorithm>

#include "gpu/primitives/memory/managed.h"  // managed arrays, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

class AttachedHost final : public memory::OnManaged {
 public:
  AttachedHost(Stream& stream, const MemoryArgs& args)
      : OnManaged(stream, args, GPU_API(MemAttachHost)),
        other_stream_(stream.device().create_stream()),
        other_words_(stream.device(), std::min(args.n, most_other_words)) {
    other_stream_->synchronize();
    other_stream_->fill(other_words_.data(), 0, other_words_.bytes());
  }

  // While the host writes the input, a kernel of another stream may still be running.
  void reset() override {
    memory::launch_triple(*other_stream_, other_words_.data(), other_words_.data(),
                          static_cast<std::uint32_t>(other_words_.size()));
    OnManaged::reset();
  }
  void run() override {
    give(GPU_API(MemAttachSingle));
    launch();
    give(GPU_API(MemAttachHost));
    read_output();
  }

 private:
  static constexpr std::uint32_t most_other_words = 1U << 20U;

  void give(unsigned to) {
    for (const memory::Managed* memory : {&in_, &out_}) memory::attach(stream_, *memory, to);
  }

  std::unique_ptr<Stream> other_stream_;
  Buffer<std::uint32_t> other_words_;
};

}  // namespace

std::unique_ptr<Prepared> memory_attached_host(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, 0);
  return std::make_unique<AttachedHost>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
