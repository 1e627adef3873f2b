// Explicit copies from and to page-locked host memory.
//
// CUDA C++ Programming Guide, Page-Locked Host Memory.
//
// The pages stay in place, so the device's copy engine accesses them directly, at the speed of the
// bus, while the host goes on. Page-locking is slow and takes memory from the rest of the system:
// it is done once, for buffers that are reused.

#include <cstring>

#include "gpu/primitives/memory/kernels.h"  // the kernel of all variants
#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Pinned final : public Prepared {
 public:
  Pinned(Stream& stream, const MemoryArgs& args)
      : stream_(stream),
        args_(args),
        host_in_(page_locked(args.n)),
        host_out_(page_locked(args.n)),
        in_(stream.device(), args.n),
        out_(stream.device(), args.n) {
    if (args.n > 0) std::memcpy(host_in_.get(), args.in, in_.bytes());
  }

  void run() override {
    switch (args_.task) {
      case MemoryTask::round_trip:
        bring(host_in_);
        memory::launch_triple(stream_, in_.data(), out_.data(), args_.n);
        fetch_from(out_);
        return;
      case MemoryTask::table:  // one copy on either side: neither writes it
        bring(host_in_);
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn)
          memory::launch_triple(stream_, in_.data(), out_.data(), args_.n,
                                1 + memory_sum(host_in_.get(), args_.n));
        fetch_from(out_);
        return;
      case MemoryTask::turns:
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn) {
          bring(turn == 0 ? host_in_ : host_out_);
          memory::launch_triple(stream_, in_.data(), in_.data(), args_.n);
          fetch_from(in_);
          stream_.synchronize();
          memory_touch(host_out_.get(), args_.n);
        }
        return;
    }
  }
  void fetch() override {
    stream_.synchronize();
    if (args_.n > 0) std::memcpy(args_.out, host_out_.get(), out_.bytes());
  }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) std::memset(host_out_.get(), byte, out_.bytes());
    stream_.fill(out_.data(), byte, out_.bytes());
  }

 private:
  struct Release {
    Device* device;
    void operator()(std::uint32_t* memory) const { device->release_pinned(memory); }
  };
  using PageLocked = std::unique_ptr<std::uint32_t, Release>;
  PageLocked page_locked(std::size_t count) const {
    Device& device = stream_.device();
    void* memory = count > 0 ? device.allocate_pinned(count * sizeof(std::uint32_t)) : nullptr;
    return {static_cast<std::uint32_t*>(memory), Release{&device}};
  }

  void bring(const PageLocked& from) {
    stream_.copy(in_.data(), from.get(), in_.bytes(), Copy::host_to_device);
  }
  void fetch_from(const Buffer<std::uint32_t>& words) {
    stream_.copy(host_out_.get(), words.data(), words.bytes(), Copy::device_to_host);
  }

  Stream& stream_;
  MemoryArgs args_;
  PageLocked host_in_, host_out_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

std::unique_ptr<Prepared> memory_pinned(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, MemoryTrait::takes_turns);
  return std::make_unique<Pinned>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
