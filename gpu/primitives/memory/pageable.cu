// Explicit copies from and to ordinary host memory.
//
// CUDA C++ Programming Guide, Device Memory; CUDA Runtime API, API synchronization behavior.
//
// The operating system may move or swap out ordinary (pageable) memory at any time, so the device
// cannot read it directly. The driver copies it piece by piece into page-locked staging buffers and
// from there to the device. Each byte is copied twice, and the host waits for most of it.

#include <cstring>

#include "gpu/primitives/memory/kernels.h"  // the kernel of all variants
#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Pageable final : public Prepared {
 public:
  Pageable(Stream& stream, const MemoryArgs& args)
      : stream_(stream), args_(args), in_(stream.device(), args.n), out_(stream.device(), args.n) {}

  void run() override {
    switch (args_.task) {
      case MemoryTask::round_trip:
        bring(args_.in);
        memory::launch_triple(stream_, in_.data(), out_.data(), args_.n);
        fetch_from(out_);
        return;
      case MemoryTask::table:  // one copy on either side: neither writes it
        bring(args_.in);
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn)
          memory::launch_triple(stream_, in_.data(), out_.data(), args_.n,
                                1 + memory_sum(args_.in, args_.n));
        fetch_from(out_);
        return;
      case MemoryTask::turns:
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn) {
          bring(turn == 0 ? args_.in : args_.out);
          memory::launch_triple(stream_, in_.data(), in_.data(), args_.n);
          fetch_from(in_);
          stream_.synchronize();
          memory_touch(args_.out, args_.n);
        }
        return;
    }
  }
  void spoil(std::uint8_t byte) override { stream_.fill(out_.data(), byte, out_.bytes()); }

 private:
  void bring(const std::uint32_t* from) {
    stream_.copy(in_.data(), from, in_.bytes(), Copy::host_to_device);
  }
  void fetch_from(const Buffer<std::uint32_t>& words) {
    stream_.copy(args_.out, words.data(), words.bytes(), Copy::device_to_host);
  }

  Stream& stream_;
  MemoryArgs args_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

std::unique_ptr<Prepared> memory_pageable(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, MemoryTrait::takes_turns);
  return std::make_unique<Pageable>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
