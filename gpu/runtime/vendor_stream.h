// Streams, events and graphs of both vendors: a part of vendor_device.cu.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/runtime/kernel.h"

// Calls a function of the runtime; Error unless it succeeds.
#define CALL(name, ...) check(GPU_API(name)(__VA_ARGS__), GPU_API_NAME(name))

namespace warpview::WARPVIEW_BACKEND {

// Bytes that crossed between host and device.
struct Transfers {
  std::uint64_t to_device = 0;
  std::uint64_t to_host = 0;

  void add_to(TransferCount& total) const {
    total.to_device += to_device;
    total.to_host += to_host;
  }
};

class VendorEvent final : public Event {
 public:
  explicit VendorEvent(int device) : device_(device) {
    CALL(SetDevice, device);
    CALL(EventCreate, &handle_);
  }
  VendorEvent(const VendorEvent&) = delete;
  VendorEvent& operator=(const VendorEvent&) = delete;
  ~VendorEvent() override {
    static_cast<void>(GPU_API(SetDevice)(device_));
    static_cast<void>(GPU_API(EventDestroy)(handle_));
  }

  // Both runtimes answer success for an event that was never recorded.
  bool ready() const override {
    const GpuError status = GPU_API(EventQuery)(handle_);
    if (status == GPU_API(ErrorNotReady)) {
      static_cast<void>(GPU_API(GetLastError)());
      return false;
    }
    check(status, GPU_API_NAME(EventQuery));
    return true;
  }
  void synchronize() override { CALL(EventSynchronize, handle_); }
  double milliseconds_since(const Event& start) const override {
    float milliseconds = 0.0F;
    CALL(EventElapsedTime, &milliseconds, static_cast<const VendorEvent&>(start).handle_, handle_);
    return milliseconds;
  }

  GPU_API(Event_t) handle() const { return handle_; }

 private:
  int device_;
  GPU_API(Event_t) handle_ = nullptr;
};

class VendorGraph final : public Graph {
 public:
  // Takes the captured graph, and what its copies move each time it is launched.
  VendorGraph(GPU_API(Graph_t) graph, Transfers transfers) : graph_(graph), transfers_(transfers) {
    const GpuError status = GPU_API(GraphInstantiateWithFlags)(&executable_, graph_, 0);
    if (status == gpu_success) return;
    static_cast<void>(GPU_API(GraphDestroy)(graph_));
    check(status, GPU_API_NAME(GraphInstantiate));
  }
  VendorGraph(const VendorGraph&) = delete;
  VendorGraph& operator=(const VendorGraph&) = delete;
  ~VendorGraph() override {
    static_cast<void>(GPU_API(GraphExecDestroy)(executable_));
    static_cast<void>(GPU_API(GraphDestroy)(graph_));
  }

  GPU_API(GraphExec_t) executable() const { return executable_; }
  const Transfers& transfers() const { return transfers_; }

 private:
  GPU_API(Graph_t) graph_;
  GPU_API(GraphExec_t) executable_ = nullptr;
  Transfers transfers_;
};

class VendorStream final : public Stream {
 public:
  explicit VendorStream(Device& device) : device_(device) {
    make_current();
    // Non-blocking: no hidden order with the legacy default stream.
    CALL(StreamCreateWithFlags, &handle_, GPU_API(StreamNonBlocking));
  }
  VendorStream(const VendorStream&) = delete;
  VendorStream& operator=(const VendorStream&) = delete;
  ~VendorStream() override {
    static_cast<void>(GPU_API(SetDevice)(device_.info().index));
    static_cast<void>(GPU_API(StreamSynchronize)(handle_));
    static_cast<void>(GPU_API(StreamDestroy)(handle_));
  }

  Device& device() const override { return device_; }

  void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
    if (bytes == 0) return;
    device_.calls.note(DeviceCall::copy);
    make_current();
    Transfers moved;
    auto direction = GPU_API(MemcpyDeviceToDevice);
    if (kind == Copy::host_to_device) {
      direction = GPU_API(MemcpyHostToDevice);
      moved.to_device = bytes;
    } else if (kind == Copy::device_to_host) {
      direction = GPU_API(MemcpyDeviceToHost);
      moved.to_host = bytes;
    }
    CALL(MemcpyAsync, to, from, bytes, direction, handle_);
    if (capturing_) {
      captured_.to_device += moved.to_device;
      captured_.to_host += moved.to_host;
    } else {
      moved.add_to(device_.transfers);
    }
  }

  void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
    if (bytes == 0) return;
    device_.calls.note(DeviceCall::fill);
    make_current();
    CALL(MemsetAsync, to, byte, bytes, handle_);
  }

  void record(Event& event) override {
    device_.calls.note(DeviceCall::record);
    make_current();
    const auto handle = static_cast<VendorEvent&>(event).handle();
    if (!capturing_) {
      CALL(EventRecord, handle, handle_);
      return;
    }
#if defined(WARPVIEW_BACKEND_CUDA)
    // External: a node of the graph that records the event anew at each launch.
    CALL(EventRecordWithFlags, handle, handle_, cudaEventRecordExternal);
#else
    throw Error("recording an event into a graph", "HIP 5.2 has no event-record nodes",
                "Time the stages without a graph");
#endif
  }

  void synchronize() override {
    device_.calls.note(DeviceCall::wait);
    make_current();
    check(GPU_API(StreamSynchronize)(handle_), "waiting for the work queued on the GPU");
  }

  void begin_capture() override {
    make_current();
    // Thread-local: what another thread does, such as loading a mesh, does not spoil the capture.
    CALL(StreamBeginCapture, handle_, GPU_API(StreamCaptureModeThreadLocal));
    capturing_ = true;
    captured_ = {};
  }

  std::unique_ptr<Graph> end_capture() override {
    make_current();
    capturing_ = false;
    GPU_API(Graph_t) graph = nullptr;
    CALL(StreamEndCapture, handle_, &graph);
    return std::make_unique<VendorGraph>(graph, captured_);
  }

  void launch(Graph& graph) override {
    device_.calls.note(DeviceCall::launch);
    make_current();
    auto& captured = static_cast<VendorGraph&>(graph);
    CALL(GraphLaunch, captured.executable(), handle_);
    captured.transfers().add_to(device_.transfers);
  }

  bool capturing() const override { return capturing_; }

  GpuStream handle() const { return handle_; }
  // The runtime keeps one current device a thread, and launches go to it.
  void make_current() const { CALL(SetDevice, device_.info().index); }

 private:
  Device& device_;
  GpuStream handle_ = nullptr;
  bool capturing_ = false;
  Transfers captured_;
};

}  // namespace warpview::WARPVIEW_BACKEND
