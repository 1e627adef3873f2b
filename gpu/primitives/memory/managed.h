// What the variants on managed memory share: one array that host and device reach under the same
// address. Pages move to whoever touches them.
//
// CUDA C++ Programming Guide, Unified Memory Programming.
#pragma once

#include <cstring>
#include <string>

#include "gpu/primitives/memory/kernels.h"
#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND::memory {

// One attribute of the stream's device, by the runtime's number for it.
template <class Attribute>
int attribute_of(Stream& stream, Attribute attribute) {
  int value = 0;
  check(GPU_API(DeviceGetAttribute)(&value, attribute, stream.device().info().index),
        "asking for an attribute of the device");
  return value;
}

// `count` words of managed memory. The driver would let programs ask for more than the device has
// and then move pages to and fro forever: Error instead.
class Managed {
 public:
  Managed(Stream& stream, std::size_t count) : bytes_(count * sizeof(std::uint32_t)) {
    if (bytes_ == 0) return;
    const std::uint64_t available = stream.device().memory_available();
    if (bytes_ > available)
      throw Error(
          std::to_string(bytes_ >> 20U) + " MiB of managed memory",
          std::to_string(available >> 20U) + " MiB are free on " + stream.device().info().name,
          "Choose a smaller size");
    native(stream);  // makes its device the current one
    check(GPU_API(MallocManaged)(&data_, bytes_, GPU_API(MemAttachGlobal)),
          "allocating managed memory");
  }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() { static_cast<void>(GPU_API(Free)(data_)); }

  std::uint32_t* words() const { return static_cast<std::uint32_t*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

// Input and output in managed memory. The host writes the input before each run and reads the
// output at its end: that is what the pages move for.
class OnManaged : public Prepared {
 public:
  void reset() override {
    stream_.synchronize();  // without concurrent access the host must not touch what a kernel may
    if (args_.n > 0) std::memcpy(in_.words(), args_.in, in_.bytes());
  }
  void fetch() override {
    stream_.synchronize();
    if (args_.n > 0) std::memcpy(args_.out, out_.words(), out_.bytes());
  }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) std::memset(out_.words(), byte, out_.bytes());
  }

 protected:
  OnManaged(Stream& stream, const MemoryArgs& args)
      : stream_(stream), args_(args), in_(stream, args.n), out_(stream, args.n) {}

  void launch() { launch_triple(stream_, in_.words(), out_.words(), args_.n); }

  // The host reads the output, a word of each of its pages: these come back to it, those that did
  // not before.
  void read_output() {
    constexpr std::uint32_t words_a_page = 4096 / sizeof(std::uint32_t);  // the smallest there is
    stream_.synchronize();
    const volatile std::uint32_t* out = out_.words();
    for (std::uint32_t i = 0; i < args_.n; i += words_a_page) static_cast<void>(out[i]);
  }

  Stream& stream_;
  MemoryArgs args_;
  Managed in_, out_;
};

}  // namespace warpview::WARPVIEW_BACKEND::memory
