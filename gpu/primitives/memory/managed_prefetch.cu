// Managed memory with prefetch and advice.
//
// CUDA C++ Programming Guide, Unified Memory Programming, Data Prefetching and Data Usage Hints.
//
// The program knows what the driver can only learn by faults: the input is needed on the device
// next, and the output on the host after that. Prefetches queue those moves in the stream, in
// large pieces, before and behind the kernel. The advice says where the pages should live: the
// output on the device, so that the kernel's first touch puts it there. Only devices that
// access managed memory at the same time as the host (concurrentManagedAccess) take either.

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/primitives/memory/managed.h"  // arrays in managed memory, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr int host = -1;  // as a place; devices are numbered from 0

#if defined(WARPVIEW_BACKEND_CUDA) && CUDART_VERSION >= 13000
cudaMemLocation location_of(int place) {
  cudaMemLocation location{};
  location.type = place == host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = place == host ? 0 : place;
  return location;
}
GpuError prefetch(const memory::Managed& memory, int place, GpuStream stream) {
  return cudaMemPrefetchAsync(memory.words(), memory.bytes(), location_of(place), 0, stream);
}
GpuError prefer(const memory::Managed& memory, int place) {
  return cudaMemAdvise(memory.words(), memory.bytes(), cudaMemAdviseSetPreferredLocation,
                       location_of(place));
}
#else
GpuError prefetch(const memory::Managed& memory, int place, GpuStream stream) {
  return GPU_API(MemPrefetchAsync)(memory.words(), memory.bytes(),
                                   place == host ? GPU_API(CpuDeviceId) : place, stream);
}
GpuError prefer(const memory::Managed& memory, int place) {
  return GPU_API(MemAdvise)(memory.words(), memory.bytes(), GPU_API(MemAdviseSetPreferredLocation),
                            place);
}
#endif

class Prefetching final : public memory::OnManaged {
 public:
  Prefetching(Stream& stream, const MemoryArgs& args)
      : OnManaged(stream, args), device_(stream.device().info().index) {
    if (!memory::attribute_of(stream, concurrent_access))
      throw Error("prefetching managed memory",
                  stream.device().info().name +
                      " cannot access managed memory at the same time as the host",
                  "Choose the variant pinned, or attached");
    if (args.n > 0) check(prefer(out_, device_), "advising where managed memory should live");
  }

  void run() override {
    if (args_.n == 0) return;
    check(prefetch(in_, device_, native(stream_)), "prefetching to the device");
    launch();
    check(prefetch(out_, host, native(stream_)), "prefetching to the host");
    read_output();
  }

 private:
#if defined(WARPVIEW_BACKEND_CUDA)
  static constexpr auto concurrent_access = cudaDevAttrConcurrentManagedAccess;
#else
  static constexpr auto concurrent_access = hipDeviceAttributeConcurrentManagedAccess;
#endif
  int device_;
};

}  // namespace

std::unique_ptr<Prepared> memory_prefetch(Stream& stream, const MemoryArgs& args) {
  return std::make_unique<Prefetching>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
