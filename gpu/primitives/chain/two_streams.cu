// Two streams captured into one graph, joined by events.
//
// CUDA C++ Programming Guide, CUDA Graphs, Cross-stream Dependencies and Events.
//
// The two chains do not depend on each other, and small kernels do not fill a GPU, so they may run
// concurrently. An event that is recorded in the capturing stream and waited for in a second stream
// pulls that stream into the capture: a fork. At the end the first stream waits for an event of the
// second: the join, without which the capture is refused. In the graph, streams and events are
// gone; two branches remain.

#include "gpu/primitives/chain/kernels.h"  // the kernels of all variants

#if !defined(WARPVIEW_BACKEND_CPU)

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Orders streams, also within a capture. It has no time stamp, which makes it cheaper.
class Fence {
 public:
  Fence() {
    check(GPU_API(EventCreateWithFlags)(&event_, GPU_API(EventDisableTiming)), "creating an event");
  }
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;
  ~Fence() { static_cast<void>(GPU_API(EventDestroy)(event_)); }

  // From now on, work queued to `later` waits for the work queued to `earlier` before.
  void order(Stream& earlier, Stream& later) {
    check(GPU_API(EventRecord)(event_, native(earlier)), "recording an event");
    check(GPU_API(StreamWaitEvent)(native(later), event_, 0), "waiting for an event");
  }

 private:
  GPU_API(Event_t) event_ = nullptr;
};

class TwoStreams final : public Prepared {
 public:
  TwoStreams(Stream& stream, const ChainArgs& args) : stream_(stream) {
    const auto second = stream.device().create_stream();
    Fence fork;
    Fence join;
    stream.begin_capture();
    fork.order(stream, *second);
    chain::launch_x(stream, args);
    chain::launch_y(*second, args);
    join.order(*second, stream);
    chain::launch_join(stream, args);
    graph_ = stream.end_capture();
  }
  void run() override { stream_.launch(*graph_); }

 private:
  Stream& stream_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace

std::unique_ptr<Prepared> chain_two_streams(Stream& stream, const ChainArgs& args) {
  return std::make_unique<TwoStreams>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
