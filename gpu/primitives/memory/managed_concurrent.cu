// Managed memory that the host reads while a kernel still writes it.
//
//   CUDA C++ Programming Guide, Unified Memory Programming: concurrentManagedAccess.
//   libcu++, cuda::atomic_ref and thread_scope_system.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// A block writes a page and then announces it: it stores to the page's flag with release and system
// scope. The host goes through the pages in order, waits for each page's flag with acquire, and
// reads the page while others are being written. Release and acquire guarantee that it sees all
// that the block wrote to the page.
//
// The flags lie in page-locked memory. In managed memory a page of flags would migrate back and
// forth between a device that sets them and a host that polls them.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cuda/atomic>

#include "gpu/primitives/memory/managed.h"  // managed arrays

namespace warpview::cuda {

namespace {

using PageFlag = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_system>;

// One block for each page. flags[gridDim.x] start at 0.
__global__ void triple_pages_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n,
                                    std::uint32_t* flags) {
  const std::uint32_t begin = blockIdx.x * memory_page;
  const std::uint32_t words = n - begin < memory_page ? n - begin : memory_page;
  for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x)
    out[begin + i] = 3 * in[begin + i] + 1;
  // All threads have written; one that has observed this signals for all.
  __syncthreads();
  if (threadIdx.x == 0) PageFlag(flags[blockIdx.x]).store(1, ::cuda::memory_order_release);
}

class Concurrent final : public memory::OnManaged {
 public:
  Concurrent(Stream& stream, const MemoryArgs& args)
      : OnManaged(stream, args), pages_(ceil_div(args.n, memory_page)) {
    memory::need_concurrent_access(stream,
                                   "managed memory that the host reads while a kernel writes it");
    if (pages_ > 0)
      flags_ = static_cast<std::uint32_t*>(
          stream.device().allocate_pinned(pages_ * sizeof(std::uint32_t)));
  }
  Concurrent(const Concurrent&) = delete;
  Concurrent& operator=(const Concurrent&) = delete;
  ~Concurrent() override {
    static_cast<void>(cudaStreamSynchronize(native(stream_)));
    if (flags_) stream_.device().release_pinned(flags_);
  }

  void reset() override {
    OnManaged::reset();
    std::fill_n(flags_, pages_, 0U);
  }
  void run() override {
    cuda::launch(stream_, KERNEL(triple_pages_kernel), Shape(pages_, 256), in_.words(),
                 out_.words(), args_.n, flags_);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      wait_for(page);
      const std::size_t begin = std::size_t{page} * memory_page;
      const std::size_t words = std::min<std::size_t>(args_.n - begin, memory_page);
      std::memcpy(args_.out + begin, out_.words() + begin, words * sizeof(std::uint32_t));
    }
  }
  // The host has read all pages already.
  void fetch() override { stream_.synchronize(); }

 private:
  // A kernel that failed sets no flag, so the host checks now and then whether it still runs.
  void wait_for(std::uint32_t page) {
    constexpr std::uint32_t often = 1U << 20U;
    const PageFlag flag(flags_[page]);
    for (std::uint32_t looks = 1; flag.load(::cuda::memory_order_acquire) == 0; ++looks) {
      if (looks % often != 0) continue;
      const GpuError status = cudaStreamQuery(native(stream_));
      if (status == cudaErrorNotReady) continue;
      check(status, "waiting for a page");
      if (flag.load(::cuda::memory_order_acquire) == 0)
        throw Error("page " + std::to_string(page) + " of an array",
                    "the kernel has ended and has not said that it wrote it", "");
    }
  }

  std::uint32_t pages_;
  std::uint32_t* flags_ = nullptr;
};

}  // namespace

std::unique_ptr<Prepared> memory_concurrent(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, 0);
  return std::make_unique<Concurrent>(stream, args);
}

}  // namespace warpview::cuda

#endif
