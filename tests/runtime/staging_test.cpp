// Uploads through page-locked blocks: on the CPU device, whose own memory is as good.
#include "gpu/runtime/staging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/upload.h"

namespace warpview {
namespace {

constexpr std::size_t block = Staging::block_bytes;

// The CPU device, posing as a device that gains by staging, and as late as a GPU may be: queued
// work happens when it is waited for. It counts, and may refuse.
class StagingDevice final : public Device {
 public:
  ~StagingDevice() override { staging.reset(); }

  const DeviceInfo& info() const override { return inner_->info(); }
  std::uint64_t memory_available() const override { return inner_->memory_available(); }
  void* allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
  void release(void* memory) noexcept override { inner_->release(memory); }
  void* allocate_pinned(std::size_t bytes) override {
    ++pinned_allocations;
    if (refuses) throw Error("page-locked memory", "there is none", "Go on without");
    ++pinned;
    return inner_->allocate_pinned(bytes);
  }
  void release_pinned(void* memory) noexcept override {
    --pinned;
    inner_->release_pinned(memory);
  }
  std::unique_ptr<Stream> create_stream() override {
    return std::make_unique<LateStream>(*this, inner_->create_stream());
  }
  std::unique_ptr<Event> create_event() override { return std::make_unique<LateEvent>(*this); }
  bool events_in_graphs() const override { return true; }
  bool stages_uploads() const override { return true; }
  bool shares_gl_context(std::string& why) const override { return inner_->shares_gl_context(why); }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned) override { return nullptr; }
  const BackendTable& table() const override { return inner_->table(); }

  bool refuses = false;
  int pinned_allocations = 0;
  int pinned = 0;
  int copies = 0;
  int fails_at = -1;  // copy

 private:
  void queue(std::function<void()> work) { work_.push_back(std::move(work)); }
  void work_until(std::uint64_t passed) {
    for (; passed_ < passed; ++passed_) {
      work_.front()();
      work_.pop_front();
    }
  }
  std::uint64_t queued() const { return passed_ + work_.size(); }

  class LateEvent final : public Event {
   public:
    explicit LateEvent(StagingDevice& device) : device_(device) {}
    bool ready() const override { return device_.passed_ >= recorded; }
    void synchronize() override { device_.work_until(recorded); }
    double milliseconds_since(const Event&) const override { return 0.0; }

    std::uint64_t recorded = 0;  // behind this much work

   private:
    StagingDevice& device_;
  };

  class LateStream final : public Stream {
   public:
    LateStream(StagingDevice& device, std::unique_ptr<Stream> inner)
        : device_(device), inner_(std::move(inner)) {}
    ~LateStream() override { LateStream::synchronize(); }
    LateStream(const LateStream&) = delete;
    LateStream& operator=(const LateStream&) = delete;

    Device& device() const override { return device_; }
    void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
      if (device_.copies++ == device_.fails_at) throw Error("the device is lost");
      queue([this, to, from, bytes, kind] { inner_->copy(to, from, bytes, kind); });
    }
    void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
      queue([this, to, byte, bytes] { inner_->fill(to, byte, bytes); });
    }
    void record(Event& event) override {
      static_cast<LateEvent&>(event).recorded = device_.queued();
    }
    void synchronize() override { device_.work_until(device_.queued()); }
    void begin_capture() override {
      capturing_ = true;
      inner_->begin_capture();
    }
    std::unique_ptr<Graph> end_capture() override {
      capturing_ = false;
      return inner_->end_capture();
    }
    void launch(Graph& graph) override {
      queue([this, &graph] { inner_->launch(graph); });
    }
    bool capturing() const override { return capturing_; }

   private:
    // Work that is captured goes into the graph at once.
    void queue(std::function<void()> work) {
      if (capturing_)
        work();
      else
        device_.queue(std::move(work));
    }

    StagingDevice& device_;
    std::unique_ptr<Stream> inner_;
    bool capturing_ = false;
  };

  std::unique_ptr<Device> inner_ = open_cpu_device();
  std::deque<std::function<void()>> work_;
  std::uint64_t passed_ = 0;  // of what was queued
};

std::vector<std::uint32_t> numbers(std::size_t bytes, std::uint32_t first) {
  std::vector<std::uint32_t> all(bytes / sizeof(std::uint32_t));
  std::iota(all.begin(), all.end(), first);
  return all;
}

// The memory that was uploaded may change as soon as the call returns.
TEST(Staging, HasReadTheSourceWhenItReturns) {
  StagingDevice device;
  const auto stream = device.create_stream();
  Staging staging(device, 3);
  const std::vector<std::uint32_t> as_it_was = numbers(5 * block, 2);
  std::vector<std::uint32_t> from = as_it_was;
  std::vector<std::uint32_t> to(from.size());
  staging.copy(*stream, to.data(), from.data(), 5 * block);
  std::fill(from.begin(), from.end(), 0U);
  stream->synchronize();
  EXPECT_TRUE(to == as_it_was);
}

// Sizes around those of a block and of all blocks, one after the other through the same blocks.
TEST(Staging, CopiesEveryByte) {
  StagingDevice device;
  const auto stream = device.create_stream();
  for (const unsigned threads : {1U, 3U}) {
    Staging staging(device, threads);
    std::uint32_t first = 1;
    for (const std::size_t bytes :
         {std::size_t{4}, block - 4, block, block + 4, 3 * block, Staging::blocks * block - 4,
          Staging::blocks * block, (2 * Staging::blocks + 3) * block + 4}) {
      const std::vector<std::uint32_t> from = numbers(bytes, first += 7);
      std::vector<std::uint32_t> to(from.size() + 1, 0);
      staging.copy(*stream, to.data(), from.data(), bytes);
      stream->synchronize();
      EXPECT_EQ(to.back(), 0U) << bytes;
      to.pop_back();
      EXPECT_TRUE(to == from) << bytes << " bytes by " << threads;
    }
    staging.copy(*stream, nullptr, nullptr, 0);
  }
  EXPECT_EQ(device.pinned, 0);
}

TEST(Staging, IsUsedForLargeCopiesOnly) {
  StagingDevice device;
  const auto stream = device.create_stream();
  for (const std::size_t bytes : {std::size_t{4096}, 5 * block}) {
    Buffer<std::uint32_t> buffer(device, bytes / sizeof(std::uint32_t));
    const std::vector<std::uint32_t> from = numbers(bytes, 3);
    device.copies = 0;
    buffer.upload_much(*stream, from);
    EXPECT_EQ(device.copies, bytes < block ? 1 : 5);
    EXPECT_EQ(device.pinned_allocations, bytes < block ? 0 : 1);  // kept from then on
    EXPECT_TRUE(buffer.download(*stream) == from);
  }
  // In a graph a copy is one node, which reads the host's memory when it is launched.
  Buffer<std::uint32_t> buffer(device, 2 * block / sizeof(std::uint32_t));
  std::vector<std::uint32_t> from = numbers(2 * block, 3);
  device.copies = 0;
  stream->begin_capture();
  buffer.upload_much(*stream, from);
  const auto graph = stream->end_capture();
  EXPECT_EQ(device.copies, 1);
  std::iota(from.begin(), from.end(), 4U);
  stream->launch(*graph);
  EXPECT_TRUE(buffer.download(*stream) == from);
}

// Uploads continue without page-locked memory, which is requested once.
TEST(Staging, FallsBackIfMemoryIsRefused) {
  StagingDevice device;
  device.refuses = true;
  const auto stream = device.create_stream();
  const std::vector<std::uint32_t> from = numbers(3 * block, 9);
  Buffer<std::uint32_t> buffer(device, from.size());
  prepare_uploads(device);
  for (int n = 1; n <= 2; ++n) {
    device.copies = 0;
    buffer.upload_much(*stream, from);
    EXPECT_EQ(device.copies, 1);
    EXPECT_TRUE(buffer.download(*stream) == from);
  }
  EXPECT_EQ(device.pinned_allocations, 1);
}

// After a copy that fails half-way no thread reads any more, and the blocks are ready for the next
// copy.
TEST(Staging, WorksAfterAFailedCopy) {
  StagingDevice device;
  const auto stream = device.create_stream();
  Staging staging(device, 3);
  std::vector<std::uint32_t> to(50 * block / sizeof(std::uint32_t));
  for (const int at : {0, 1, 33, 49}) {
    device.copies = 0;
    device.fails_at = at;
    {
      const std::vector<std::uint32_t> gone = numbers(50 * block, 1);
      EXPECT_THROW(staging.copy(*stream, to.data(), gone.data(), 50 * block), Error);
    }
    device.fails_at = -1;
    const std::vector<std::uint32_t> from = numbers(50 * block, static_cast<std::uint32_t>(at));
    staging.copy(*stream, to.data(), from.data(), 50 * block);
    stream->synchronize();
    EXPECT_TRUE(to == from) << at;
  }
}

}  // namespace
}  // namespace warpview
