// A chain of launches captured once into a graph, and replayed.
//
// CUDA C++ Programming Guide, CUDA Graphs, Creating a Graph Using Stream Capture.
//
// Between begin and end of the capture the stream runs nothing: the launches become a graph, with
// an edge from each to the next. Instantiation does once all the work that does not change from run
// to run. A run is then one call, and the device goes from kernel to kernel without the host. The
// launching code stays as it was.

#include "gpu/primitives/chain/kernels.h"  // the kernels of all variants

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Captured final : public Prepared {
 public:
  Captured(Stream& stream, const ChainArgs& args) : stream_(stream) {
    stream.begin_capture();
    chain::launch_all(stream, args);
    graph_ = stream.end_capture();
  }
  void run() override { stream_.launch(*graph_); }

 private:
  Stream& stream_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace

std::unique_ptr<Prepared> chain_captured(Stream& stream, const ChainArgs& args) {
  return std::make_unique<Captured>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
