// What the variants on managed memory share: one array that host and device access at the same
// address. Pages migrate to the processor that touches them.
//
// CUDA C++ Programming Guide, Unified Memory Programming.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "gpu/primitives/memory/kernels.h"
#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND::memory {

// One attribute of the stream's device, by its number in the runtime.
template <class Attribute>
int attribute_of(Stream& stream, Attribute attribute) {
  int value = 0;
  check(GPU_API(DeviceGetAttribute)(&value, attribute, stream.device().info().index),
        "asking for an attribute of the device");
  return value;
}

// Whether the host may touch managed memory while kernels run, and the device may fault on a page.
// If not, any access by the host during any kernel is an error, even to an array that the kernel
// does not use, unless that is attached elsewhere.
inline bool has_concurrent_access(Stream& stream) {
#if defined(WARPVIEW_BACKEND_CUDA)
  return attribute_of(stream, cudaDevAttrConcurrentManagedAccess) != 0;
#else
  return attribute_of(stream, hipDeviceAttributeConcurrentManagedAccess) != 0;
#endif
}
inline void need_concurrent_access(Stream& stream, const char* what) {
  if (!has_concurrent_access(stream))
    throw Error(what,
                stream.device().info().name +
                    " cannot access managed memory at the same time as the host "
                    "(concurrentManagedAccess is 0)",
                "Choose the variant pinned, or attached");
}

// Words of managed memory.
class Managed {
 public:
  Managed() = default;
  // Throws Error for more than the device has: the driver would accept it and migrate pages back
  // and forth forever. `attached`: the initial owner, all streams or the host.
  Managed(Stream& stream, std::size_t count, unsigned attached = GPU_API(MemAttachGlobal))
      : count_(count) {
    if (count == 0) return;
    const std::uint64_t available = stream.device().memory_available();
    if (bytes() > available)
      throw Error(
          std::to_string(bytes() >> 20U) + " MiB of managed memory",
          std::to_string(available >> 20U) + " MiB are free on " + stream.device().info().name,
          "Choose a smaller size");
    native(stream);  // makes the device current
    check(GPU_API(MallocManaged)(&data_, bytes(), attached), "allocating managed memory");
  }
  Managed(Managed&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() { static_cast<void>(GPU_API(Free)(data_)); }

  std::uint32_t* words() const { return static_cast<std::uint32_t*>(data_); }
  std::size_t bytes() const { return count_ * sizeof(std::uint32_t); }

 private:
  void* data_ = nullptr;
  std::size_t count_ = 0;
};

// After the work queued so far, the array belongs to the stream alone, or to the host. An idle
// stream attaches at once.
inline void attach(Stream& stream, const Managed& memory, unsigned to) {
  if (memory.bytes() > 0)
    check(GPU_API(StreamAttachMemAsync)(native(stream), memory.words(), 0, to),
          "attaching managed memory to a stream");
}

// --- where pages are and should be

inline constexpr int host_place = -1;  // devices are numbered from 0

#if defined(WARPVIEW_BACKEND_CUDA) && CUDART_VERSION >= 13000
inline cudaMemLocation location_of(int place) {
  cudaMemLocation location{};
  location.type = place == host_place ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = place == host_place ? 0 : place;
  return location;
}
#else
inline int location_of(int place) {
  return place == host_place ? static_cast<int>(GPU_API(CpuDeviceId)) : place;
}
#endif

inline void prefetch_to(int place, const Managed& memory, Stream& stream) {
  if (memory.bytes() == 0) return;
#if defined(WARPVIEW_BACKEND_CUDA) && CUDART_VERSION >= 13000
  check(cudaMemPrefetchAsync(memory.words(), memory.bytes(), location_of(place), 0, native(stream)),
        "prefetching managed memory");
#else
  check(
      GPU_API(MemPrefetchAsync)(memory.words(), memory.bytes(), location_of(place), native(stream)),
      "prefetching managed memory");
#endif
}

// Gives the driver advice about the stream's device.
inline void advise(MemoryAdvice advice, const Managed& memory, Stream& stream) {
  if (advice == MemoryAdvice::none || memory.bytes() == 0) return;
  const auto what = advice == MemoryAdvice::preferred     ? GPU_API(MemAdviseSetPreferredLocation)
                    : advice == MemoryAdvice::accessed_by ? GPU_API(MemAdviseSetAccessedBy)
                                                          : GPU_API(MemAdviseSetReadMostly);
  check(GPU_API(MemAdvise)(memory.words(), memory.bytes(), what,
                           location_of(stream.device().info().index)),
        "advising where managed memory should live");
}

// Input and output in managed memory, or the words of `turns` in one array. The host writes the
// input before each run and reads the output at its end, which makes the pages migrate.
class OnManaged : public Prepared {
 public:
  void reset() override {
    stream_.synchronize();  // without concurrent access the host must not touch it any earlier
    if (args_.n > 0) std::memcpy(in_.words(), args_.in, in_.bytes());
  }
  void fetch() override {
    stream_.synchronize();
    if (args_.n > 0) std::memcpy(args_.out, result().words(), result().bytes());
  }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) std::memset(result().words(), byte, result().bytes());
  }

 protected:
  OnManaged(Stream& stream, const MemoryArgs& args, unsigned attached = GPU_API(MemAttachGlobal))
      : stream_(stream),
        args_(args),
        in_(stream, args.n, attached),
        out_(stream, args.task == MemoryTask::turns ? 0 : args.n, attached) {}

  const Managed& result() const { return args_.task == MemoryTask::turns ? in_ : out_; }

  void launch(std::uint32_t added = 1) {
    launch_triple(stream_, in_.words(), result().words(), args_.n, added);
  }

  // The host reads one word of each page of the output: pages that have not yet migrated back do so
  // now.
  void read_output() {
    stream_.synchronize();
    static_cast<void>(memory_sum(result().words(), args_.n));
  }

  Stream& stream_;
  MemoryArgs args_;
  Managed in_, out_;
};

}  // namespace warpview::WARPVIEW_BACKEND::memory
