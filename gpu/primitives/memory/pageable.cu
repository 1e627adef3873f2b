// Explicit copies from and to ordinary host memory.
//
// CUDA C++ Programming Guide, Device Memory; CUDA Runtime API, API synchronization behavior.
//
// The operating system may move or write out ordinary (pageable) memory at any time, so the device
// cannot read it by itself: the driver copies it piece by piece into page-locked memory of its own
// and from there to the device. Each byte is copied twice, and the host waits for most of it.

#include <cstring>

#include "gpu/primitives/memory/kernels.h"  // the kernel, the same for all variants
#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Pageable final : public Prepared {
 public:
  Pageable(Stream& stream, const MemoryArgs& args)
      : stream_(stream), args_(args), in_(stream.device(), args.n), out_(stream.device(), args.n) {}

  void run() override {
    stream_.copy(in_.data(), args_.in, in_.bytes(), Copy::host_to_device);
    memory::launch_triple(stream_, in_.data(), out_.data(), args_.n);
    stream_.copy(args_.out, out_.data(), out_.bytes(), Copy::device_to_host);
  }
  void spoil(std::uint8_t byte) override { stream_.fill(out_.data(), byte, out_.bytes()); }

 private:
  Stream& stream_;
  MemoryArgs args_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

std::unique_ptr<Prepared> memory_pageable(Stream& stream, const MemoryArgs& args) {
  return std::make_unique<Pageable>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
