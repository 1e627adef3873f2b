// Managed memory as a global variable.
//
//   CUDA C++ Programming Guide, Unified Memory Programming: __managed__ variables.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// `__managed__` before an array of the program lets host and device access it by name: no
// allocation, no pointer to pass, no copy. Pages migrate as in the variant managed. The price: the
// size is fixed at compile time, there is only one such array for all users, and the module is
// loaded with its arrays whether they are used or not.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <atomic>

#include "gpu/primitives/memory/managed.h"  // queries of the device's attributes

namespace warpview::cuda {

namespace {

__managed__ std::uint32_t static_in[memory_static_words];
__managed__ std::uint32_t static_out[memory_static_words];
std::atomic<bool> arrays_are_taken = false;

__global__ void triple_static_kernel(std::uint32_t n) {
  const std::uint32_t i = global_thread();
  if (i < n) static_out[i] = 3 * static_in[i] + 1;
}

class Static final : public Prepared {
 public:
  Static(Stream& stream, const MemoryArgs& args) : stream_(stream), args_(args) {
    if (args.n > memory_static_words)
      throw Error(std::to_string(args.n) + " words of static managed memory",
                  "the program's arrays have " + std::to_string(memory_static_words),
                  "Choose a smaller size, or the variant managed");
    if (arrays_are_taken.exchange(true))
      throw Error("the program's static managed arrays", "another run is using them",
                  "Wait for its end, or choose the variant managed");
    native(stream);  // makes the device current
  }
  Static(const Static&) = delete;
  Static& operator=(const Static&) = delete;
  ~Static() override {
    static_cast<void>(cudaStreamSynchronize(native(stream_)));
    arrays_are_taken = false;
  }

  void reset() override {
    stream_.synchronize();
    if (args_.n > 0) std::memcpy(static_in, args_.in, bytes());
  }
  void run() override {
    launch(stream_, KERNEL(triple_static_kernel), one_thread_each(args_.n), args_.n);
    stream_.synchronize();
    static_cast<void>(memory_sum(static_out, args_.n));  // the pages migrate back
  }
  void fetch() override {
    stream_.synchronize();
    if (args_.n > 0) std::memcpy(args_.out, static_out, bytes());
  }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) std::memset(static_out, byte, bytes());
  }

 private:
  std::size_t bytes() const { return args_.n * sizeof(std::uint32_t); }

  Stream& stream_;
  MemoryArgs args_;
};

}  // namespace

std::unique_ptr<Prepared> memory_static(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, 0);
  return std::make_unique<Static>(stream, args);
}

}  // namespace warpview::cuda

#endif
