// A device in host memory that computes nothing, for tests of the code around kernels: it is as
// late as a GPU may be, and its clock is exact.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"

namespace warpview::test {

// Copies and fills wait in their stream until a thread waits for them; each then takes one
// millisecond. Memory is aligned as a device's. As a Backend of a GPU it cannot reach OpenGL's
// buffers. It has no kernels.
class HostDevice final : public Device {
 public:
  explicit HostDevice(Backend backend = Backend::cpu, bool events_in_graphs = true)
      : events_in_graphs_(events_in_graphs) {
    info_.backend = backend;
    info_.name = "Test device";
    table_.functions.resize(variants().size());
  }

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t memory_available() const override { return 1U << 30U; }
  void* allocate(std::size_t bytes) override {
    ++live_allocations;
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void release(void* memory) noexcept override;
  void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(void* memory) noexcept override { release(memory); }
  std::unique_ptr<Stream> create_stream() override;
  std::unique_ptr<Event> create_event() override;
  bool events_in_graphs() const override { return events_in_graphs_; }
  bool shares_gl_context(std::string& why) const override {
    if (info_.backend == Backend::cpu) return true;
    why = "GL's device is another one";
    return false;
  }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned /*buffer*/) override {
    return nullptr;
  }
  const BackendTable& table() const override { return table_; }

  std::vector<Stream*> streams;  // that exist
  int live_allocations = 0;
  int graph_launches = 0;
  std::uint64_t milliseconds = 0;  // since it was made

 private:
  DeviceInfo info_;
  BackendTable table_;
  bool events_in_graphs_;
};

class HostStream final : public Stream {
 public:
  explicit HostStream(HostDevice& device) : device_(device) { device.streams.push_back(this); }
  ~HostStream() override { std::erase(device_.streams, this); }
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;

  Device& device() const override { return device_; }
  void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
    add([this, to, from, bytes, kind] {
      std::memmove(to, from, bytes);
      if (kind == Copy::host_to_device) device_.transfers.to_device += bytes;
      if (kind == Copy::device_to_host) device_.transfers.to_host += bytes;
      ++device_.milliseconds;
    });
  }
  void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
    add([this, to, byte, bytes] {
      std::memset(to, byte, bytes);
      ++device_.milliseconds;
    });
  }
  void record(Event& event) override;
  void synchronize() override {
    while (!waiting_.empty()) run_one();
  }
  void run_one() {
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    work();
  }
  void begin_capture() override { captured_ = std::make_unique<HostGraph>(); }
  std::unique_ptr<Graph> end_capture() override { return std::move(captured_); }
  void launch(Graph& graph) override {
    ++device_.graph_launches;
    for (const auto& work : static_cast<HostGraph&>(graph).work) add(work);
  }

 private:
  struct HostGraph final : Graph {
    std::vector<std::function<void()>> work;
  };

  void add(std::function<void()> work) {
    if (captured_)
      captured_->work.push_back(std::move(work));
    else
      waiting_.push_back(std::move(work));
  }

  HostDevice& device_;
  std::deque<std::function<void()>> waiting_;
  std::unique_ptr<HostGraph> captured_;
};

// Events recorded inside a graph count as recorded when the graph is launched.
class HostEvent final : public Event {
 public:
  bool ready() const override { return passed == recorded; }
  void synchronize() override {
    while (!ready()) stream->run_one();
  }
  double milliseconds_since(const Event& start) const override {
    const auto& from = static_cast<const HostEvent&>(start);
    if (!ready() || !from.ready() || recorded == 0 || from.recorded == 0)
      throw Error("a time", "an event was not recorded or not passed", "");
    return static_cast<double>(milliseconds) - static_cast<double>(from.milliseconds);
  }

  HostStream* stream = nullptr;
  int recorded = 0;
  int passed = 0;
  std::uint64_t milliseconds = 0;
};

inline void HostStream::record(Event& event) {
  auto& marked = static_cast<HostEvent&>(event);
  marked.stream = this;
  const auto pass = [this, &marked] {
    marked.milliseconds = device_.milliseconds;
    ++marked.passed;
  };
  if (captured_) {
    if (!device_.events_in_graphs())
      throw Error("an event in a graph", "the device records none there", "");
    captured_->work.emplace_back([this, &marked, pass] {
      marked.recorded = marked.passed + 1;
      pass();
    });
    return;
  }
  ++marked.recorded;
  waiting_.emplace_back(pass);
}

inline void HostDevice::release(void* memory) noexcept {
  for (Stream* stream : streams) stream->synchronize();
  --live_allocations;
  std::free(memory);
}
inline std::unique_ptr<Stream> HostDevice::create_stream() {
  return std::make_unique<HostStream>(*this);
}
inline std::unique_ptr<Event> HostDevice::create_event() { return std::make_unique<HostEvent>(); }

}  // namespace warpview::test
