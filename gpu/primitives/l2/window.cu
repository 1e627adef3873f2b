// Look-ups with a window of persisting accesses over the table.
//
//   CUDA C++ Programming Guide, Device Memory L2 Access Management (compute capability 8.0).
//
// The cache gets two requests. A part of it is set aside for lines fetched by persisting accesses:
// the stream cannot evict them. And accesses to the addresses of a window, the table's, become
// persisting, or a fraction of them where the table is larger than the part.
//
// The window is an attribute of the launch, not of the stream. A captured graph therefore records
// it with its kernel, and nothing that is queued afterwards inherits it. The part set aside belongs
// to the device: this object takes it for its lifetime, and gives it back with the lines in it.
#if defined(WARPVIEW_BACKEND_CUDA)

#include <algorithm>
#include <string>

#include "gpu/primitives/l2/find.h"  // the kernel of both variants
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Sets aside `bytes` of the L2 cache, or as much as the device allows, for the persisting accesses
// of all streams.
class SetAside {
 public:
  SetAside(Stream& stream, std::size_t bytes) : stream_(stream) {
    native(stream);  // makes the device current
    int most = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize,
                                 stream.device().info().index),
          "cudaDeviceGetAttribute");
    if (most == 0)
      throw Error("a part of the L2 cache for persisting accesses",
                  stream.device().info().name + " gives none, as in a slice of a divided GPU",
                  "Choose the variant plain");
    check(cudaDeviceGetLimit(&before_, cudaLimitPersistingL2CacheSize), "cudaDeviceGetLimit");
    check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                             std::min(bytes, static_cast<std::size_t>(most))),
          "cudaDeviceSetLimit");
    // The device rounds the size.
    check(cudaDeviceGetLimit(&bytes_, cudaLimitPersistingL2CacheSize), "cudaDeviceGetLimit");
  }
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  ~SetAside() {
    // Lines stop becoming persisting only when the last run is over.
    static_cast<void>(cudaSetDevice(stream_.device().info().index));
    static_cast<void>(cudaStreamSynchronize(native(stream_)));
    static_cast<void>(cudaCtxResetPersistingL2Cache());
    static_cast<void>(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, before_));
  }

  std::size_t bytes() const { return bytes_; }

 private:
  Stream& stream_;
  std::size_t before_ = 0;
  std::size_t bytes_ = 0;
};

class Window final : public Prepared {
 public:
  Window(Stream& stream, const L2Args& args)
      : stream_(stream), args_(args), table_(*args.table), set_aside_(stream, table_bytes()) {
    if (!(args.hit_ratio >= 0.0F && args.hit_ratio <= 1.0F))
      throw Error("a window with a hit ratio of " + std::to_string(args.hit_ratio),
                  "it is a share of the accesses", "Choose one from 0 to 1");
    int most = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize,
                                 stream.device().info().index),
          "cudaDeviceGetAttribute");
    const std::size_t bytes = std::min(table_bytes(), static_cast<std::size_t>(most));
    cudaAccessPolicyWindow& window = attribute_.val.accessPolicyWindow;
    window.base_ptr = table_.words;
    window.num_bytes = bytes;
    // If a table larger than the part were all persisting, its lines would evict each other. The
    // rest is streaming: evicted first.
    window.hitRatio =
        args.hit_ratio > 0.0F
            ? args.hit_ratio
            : static_cast<float>(std::min(
                  1.0, static_cast<double>(set_aside_.bytes()) / static_cast<double>(bytes)));
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    attribute_.id = cudaLaunchAttributeAccessPolicyWindow;
  }

  void run() override {
    const Shape shape = one_thread_each(args_.n);
    if (shape.grid.x == 0) return;
    cudaLaunchConfig_t launch{};
    launch.gridDim = shape.grid;
    launch.blockDim = shape.block;
    launch.stream = native(stream_);
    launch.attrs = &attribute_;
    launch.numAttrs = 1;
    check(cudaLaunchKernelEx(&launch, l2::find_kernel, table_, args_.keys, args_.n, args_.every,
                             args_.values),
          "l2::find_kernel");
    if (stream_.device().launches.recording())
      log_launch(stream_.device(), "l2::find_kernel",
                 reinterpret_cast<const void*>(&l2::find_kernel), shape.grid, shape.block, 0);
  }

 private:
  std::size_t table_bytes() const { return table_.slots * sizeof(*table_.words); }

  Stream& stream_;
  L2Args args_;
  hash::Table<std::uint32_t> table_;
  SetAside set_aside_;
  cudaLaunchAttribute attribute_{};
};

}  // namespace

std::unique_ptr<Prepared> l2_window(Stream& stream, const L2Args& args) {
  return std::make_unique<Window>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
