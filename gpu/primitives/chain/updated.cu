// An instantiated graph that is updated before each run.
//
// CUDA C++ Programming Guide, CUDA Graphs, Updating Instantiated Graphs.
//
// When arguments change from run to run (a pointer, a size), the launches are captured again, which
// runs nothing and is cheap. The instantiated graph takes over the new arguments where its shape is
// the same. That saves the instantiation, the expensive part. When the shape has changed, the
// update is refused and the graph is instantiated again.

#include "gpu/primitives/chain/kernels.h"  // the kernels of all variants

#if !defined(WARPVIEW_BACKEND_CPU)

namespace warpview::WARPVIEW_BACKEND {

namespace {

using GraphHandle = GPU_API(Graph_t);
using ExecutableHandle = GPU_API(GraphExec_t);

// Returns whether `executable` has taken over the arguments of `graph`.
bool update(ExecutableHandle executable, GraphHandle graph) {
#if defined(WARPVIEW_BACKEND_CUDA)
  cudaGraphExecUpdateResultInfo result{};
  const GpuError status = cudaGraphExecUpdate(executable, graph, &result);
#else
  hipGraphNode_t node = nullptr;
  hipGraphExecUpdateResult result{};
  const GpuError status = hipGraphExecUpdate(executable, graph, &node, &result);
#endif
  if (status == gpu_success) return true;
  static_cast<void>(GPU_API(GetLastError)());  // clears it: a refusal is no failure
  return false;
}

class Updated final : public Prepared {
 public:
  Updated(Stream& stream, const ChainArgs& args) : stream_(stream), args_(args) {
    const GraphHandle graph = capture();
    instantiate(graph);
    static_cast<void>(GPU_API(GraphDestroy)(graph));
  }
  Updated(const Updated&) = delete;
  Updated& operator=(const Updated&) = delete;
  ~Updated() override { static_cast<void>(GPU_API(GraphExecDestroy)(executable_)); }

  void run() override {
    const GraphHandle graph = capture();
    if (!update(executable_, graph)) {
      static_cast<void>(GPU_API(GraphExecDestroy)(executable_));
      executable_ = nullptr;
      instantiate(graph);
      ++anew_;
    }
    static_cast<void>(GPU_API(GraphDestroy)(graph));
    check(GPU_API(GraphLaunch)(executable_, native(stream_)), "launching a graph");
  }

  // Refused updates: none, because the shape of the chain is the same at every run.
  int prepared_anew() const override { return anew_; }

 private:
  // Captures the chain's launches with the current arguments.
  GraphHandle capture() {
    GraphHandle graph = nullptr;
    check(GPU_API(StreamBeginCapture)(native(stream_), GPU_API(StreamCaptureModeThreadLocal)),
          "beginning a capture");
    chain::launch_all(stream_, args_);
    check(GPU_API(StreamEndCapture)(native(stream_), &graph), "ending a capture");
    return graph;
  }
  void instantiate(GraphHandle graph) {
    check(GPU_API(GraphInstantiateWithFlags)(&executable_, graph, 0), "instantiating a graph");
  }

  Stream& stream_;
  ChainArgs args_;
  ExecutableHandle executable_ = nullptr;
  int anew_ = 0;
};

}  // namespace

std::unique_ptr<Prepared> chain_updated(Stream& stream, const ChainArgs& args) {
  return std::make_unique<Updated>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
