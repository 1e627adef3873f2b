// The graph of the chain, built node by node.
//
// CUDA C++ Programming Guide, CUDA Graphs, Creating a Graph Using Graph APIs.
//
// A kernel node names the function, its shape, its arguments and the nodes it waits for. Nothing is
// inferred from the order of calls: the two chains become two branches because no edge joins them
// before the last node. This is the way to build a graph where there are no launches to capture,
// and to keep the nodes for later changes.

#include <vector>

#include "gpu/primitives/chain/kernels.h"  // the kernels of all variants

#if !defined(WARPVIEW_BACKEND_CPU)

namespace warpview::WARPVIEW_BACKEND {

namespace {

using Node = GPU_API(GraphNode_t);

class NodeByNode final : public Prepared {
 public:
  NodeByNode(Stream& stream, const ChainArgs& args) : stream_(stream) {
    native(stream);  // makes the device current
    check(GPU_API(GraphCreate)(&graph_, 0), "creating a graph");
    if (args.n > 0) {
      const Node x = add_steps(args.x_in, args.x, args, chain::step_of_x);
      const Node y = add_steps(args.y_in, args.y, args, chain::step_of_y);
      add(chain::join_kernel, args.n, {x, y}, args.x, args.y, args.out, args.n);
    }
    check(GPU_API(GraphInstantiateWithFlags)(&executable_, graph_, 0), "instantiating a graph");
  }
  NodeByNode(const NodeByNode&) = delete;
  NodeByNode& operator=(const NodeByNode&) = delete;
  ~NodeByNode() override {
    static_cast<void>(GPU_API(GraphExecDestroy)(executable_));
    static_cast<void>(GPU_API(GraphDestroy)(graph_));
  }

  void run() override {
    check(GPU_API(GraphLaunch)(executable_, native(stream_)), "launching a graph");
  }

 private:
  // A node for a kernel with a thread for each of n items. Arguments are copied into the node.
  template <class... Parameters>
  Node add(void (*kernel)(Parameters...), std::uint32_t n, const std::vector<Node>& after,
           std::type_identity_t<Parameters>... arguments) {
    void* pointers[] = {static_cast<void*>(&arguments)...};
    GPU_API(KernelNodeParams) parameters{};
    parameters.func = reinterpret_cast<void*>(kernel);
    parameters.gridDim = dim3(ceil_div(n, std::uint32_t{chain::threads}));
    parameters.blockDim = dim3(chain::threads);
    parameters.kernelParams = pointers;
    Node node = nullptr;
    check(GPU_API(GraphAddKernelNode)(&node, graph_, after.data(), after.size(), &parameters),
          "adding a kernel to a graph");
    return node;
  }

  // Returns the chain's last node.
  Node add_steps(const std::uint32_t* in, std::uint32_t* data, const ChainArgs& args,
                 chain::Step step) {
    Node last = add(chain::step_kernel, args.n, {}, in, data, args.n, step);
    for (std::uint32_t s = 1; s < args.steps; ++s)
      last = add(chain::step_kernel, args.n, {last}, data, data, args.n, step);
    return last;
  }

  Stream& stream_;
  GPU_API(Graph_t) graph_ = nullptr;
  GPU_API(GraphExec_t) executable_ = nullptr;
};

}  // namespace

std::unique_ptr<Prepared> chain_nodes(Stream& stream, const ChainArgs& args) {
  return std::make_unique<NodeByNode>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
