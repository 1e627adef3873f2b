// Several host threads, each with its own managed memory and its own work.
//
//   CUDA C++ Programming Guide, Unified Memory Programming, Stream Attach With Multithreaded Host
//   Programs.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The words are cut into pieces, and one thread goes through the turns of each: it launches a
// kernel, waits for it, does the host's part, and launches again. With one stream per thread, and
// the thread's array attached to it, no thread waits for another: kernels and host work of all
// pieces run concurrently, with or without concurrent access to managed memory.
//
// The second variant does this on the default stream, which is used when none is named. All threads
// share it: kernels run one after another, and waiting for one's own kernel means waiting for all
// that were queued before it.

#if !defined(WARPVIEW_BACKEND_CPU)

#include <algorithm>
#include <future>
#include <vector>

#include "gpu/primitives/memory/managed.h"  // managed arrays, and the kernel

namespace warpview::WARPVIEW_BACKEND {

namespace {

enum class StreamOf { each_thread, all_threads };

template <StreamOf streams>
class Threads final : public Prepared {
 public:
  Threads(Stream& stream, const MemoryArgs& args) : stream_(stream), args_(args) {
    if (streams == StreamOf::all_threads)
      memory::need_concurrent_access(
          stream, "managed memory of threads that share a stream, while others of them use it");
    const std::uint32_t pages = ceil_div(args.n, memory_page);
    const std::uint32_t words_each = ceil_div(pages, pieces) * memory_page;
    for (std::uint32_t begin = 0; begin < args.n; begin += words_each) {
      const std::uint32_t words = std::min(words_each, args.n - begin);
      Piece piece{
          .begin = begin, .n = words, .words = memory::Managed(stream, words), .stream = nullptr};
      if (streams == StreamOf::each_thread) {
        piece.stream = stream.device().create_stream();
        memory::attach(*piece.stream, piece.words, GPU_API(MemAttachSingle));
        piece.stream->synchronize();  // from here on the attachment is in effect
      }
      pieces_.push_back(std::move(piece));
    }
  }

  void reset() override {
    for (const Piece& piece : pieces_)
      std::memcpy(piece.words.words(), args_.in + piece.begin, piece.words.bytes());
  }
  void run() override {
    std::vector<std::future<void>> threads;
    for (const Piece& piece : pieces_)
      threads.push_back(std::async(std::launch::async, [this, &piece] { take_turns(piece); }));
    for (std::future<void>& thread : threads) thread.wait();
    for (std::future<void>& thread : threads) thread.get();
    if (stream_.device().launches.recording())  // on behalf of the other threads
      for (const Piece& piece : pieces_) {
        const Shape shape = one_thread_each(piece.n);
        for (std::uint32_t turn = 0; turn < memory_turns; ++turn)
          log_launch(stream_.device(), "memory::triple_kernel",
                     reinterpret_cast<const void*>(&memory::triple_kernel), shape.grid, shape.block,
                     0);
      }
  }
  // No thread runs between two runs.
  void fetch() override {
    for (const Piece& piece : pieces_)
      std::memcpy(args_.out + piece.begin, piece.words.words(), piece.words.bytes());
  }
  void spoil(std::uint8_t byte) override {
    for (const Piece& piece : pieces_) std::memset(piece.words.words(), byte, piece.words.bytes());
  }

 private:
  static constexpr std::uint32_t pieces = 4;  // and as many threads

  struct Piece {
    std::uint32_t begin, n;
    memory::Managed words;
    std::unique_ptr<Stream> stream;  // none: the default stream
  };

  void take_turns(const Piece& piece) const {
    std::uint32_t* const words = piece.words.words();
    for (std::uint32_t turn = 0; turn < memory_turns; ++turn) {
      if (piece.stream) {
        memory::launch_triple(*piece.stream, words, words, piece.n);
        piece.stream->synchronize();
      } else {
        launch_on_default(words, piece.n);
      }
      memory_touch(words, piece.n);
    }
  }
  // Launches and waits.
  void launch_on_default(std::uint32_t* words, std::uint32_t n) const {
    native(stream_);  // makes the device current for this thread
    const Shape shape = one_thread_each(n);
    const std::uint32_t* in = words;
    std::uint32_t added = 1;
    void* arguments[] = {static_cast<void*>(&in), static_cast<void*>(&words),
                         static_cast<void*>(&n), static_cast<void*>(&added)};
    check(GPU_API(LaunchKernel)(reinterpret_cast<const void*>(&memory::triple_kernel), shape.grid,
                                shape.block, arguments, 0, nullptr),
          "memory::triple_kernel");
    check(GPU_API(StreamSynchronize)(nullptr), "waiting for the default stream");
  }

  Stream& stream_;
  MemoryArgs args_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<Prepared> memory_threads(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, MemoryTrait::only_turns);
  return std::make_unique<Threads<StreamOf::each_thread>>(stream, args);
}

std::unique_ptr<Prepared> memory_threads_default(Stream& stream, const MemoryArgs& args) {
  memory::check_task(args, MemoryTrait::only_turns);
  return std::make_unique<Threads<StreamOf::all_threads>>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
