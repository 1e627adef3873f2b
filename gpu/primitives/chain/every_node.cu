// A graph of nodes of every kind.
//
//   CUDA C++ Programming Guide, CUDA Graphs, Graph Structure: kernels, copies, fills, functions of
//   the host, empty nodes and graphs as nodes of graphs.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// The other variants have only kernel nodes. Here each part of the chain is the kind of node that
// is meant for it:
//
//   tell --> constants -----------+
//   x = x_in --+                  +--> [ steps of x | steps of y ] --+
//              +--> both copied --+                                  +--> join --> forget
//   y = y_in --+                                                     |
//   out = 0 ---------------------------------------------------------+
//
//   tell, forget     host functions: the host writes the steps' factors and summands before every
//                    run, and clears them after it
//   constants        a copy of these to the device
//   x = x_in, ...    copies on the device: all steps then work in place
//   out = 0          a memset: the join adds to out
//   both copied      an empty node, which only waits. Where many nodes wait for many it saves
//                    edges: one to it and one from it for each
//   [ ... ]          a child graph, the two branches, as one node of this graph
//
// Each edge is explicit, and each is needed. The host does nothing between the nodes: a thread of
// the driver calls the host functions when the graph reaches them, while the thread that launched
// the graph goes on. Host functions may not call the driver.

#include <array>
#include <vector>

#include "gpu/primitives/chain/kernels.h"  // the step of all variants

#if !defined(WARPVIEW_BACKEND_CPU)

#include "gpu/runtime/buffer.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The constants of both branches: of x, then of y.
using Constants = std::array<chain::Step, 2>;

// A step in place whose constants lie in memory.
__global__ void told_step_kernel(std::uint32_t* data, std::uint32_t n, const chain::Step* step) {
  const std::uint32_t i = global_thread();
  if (i < n) data[i] = step->factor * data[i] + step->summand;
}

// Adds to zeros.
__global__ void join_onto_kernel(const std::uint32_t* x, const std::uint32_t* y, std::uint32_t* out,
                                 std::uint32_t n) {
  const std::uint32_t i = global_thread();
  if (i < n) out[i] += x[i] ^ y[i];
}

// The constants in page-locked memory, where the host writes them and the device's copy reads them.
class HostConstants {
 public:
  explicit HostConstants(Device& device)
      : device_(device),
        constants_(static_cast<Constants*>(device.allocate_pinned(sizeof(Constants)))) {
    *constants_ = {};
  }
  HostConstants(const HostConstants&) = delete;
  HostConstants& operator=(const HostConstants&) = delete;
  ~HostConstants() { device_.release_pinned(constants_); }

  Constants* constants() const { return constants_; }

  // Called by the graph.
  static void tell(void* constants) {
    *static_cast<Constants*>(constants) = {chain::step_of_x, chain::step_of_y};
  }
  static void forget(void* constants) { *static_cast<Constants*>(constants) = {}; }

 private:
  Device& device_;
  Constants* constants_;
};

using Node = GPU_API(GraphNode_t);
using Nodes = std::vector<Node>;

// A graph under construction; each node is added after the nodes that it waits for.
class OwnGraph {
 public:
  OwnGraph() { check(GPU_API(GraphCreate)(&graph_, 0), "creating a graph"); }
  OwnGraph(const OwnGraph&) = delete;
  OwnGraph& operator=(const OwnGraph&) = delete;
  ~OwnGraph() { static_cast<void>(GPU_API(GraphDestroy)(graph_)); }

  GPU_API(Graph_t) handle() const { return graph_; }

  // A kernel with a thread for each of n items. Arguments are copied into the node.
  template <class... Parameters>
  Node kernel(void (*function)(Parameters...), std::uint32_t n, const Nodes& after,
              std::type_identity_t<Parameters>... arguments) {
    void* pointers[] = {static_cast<void*>(&arguments)...};
    GPU_API(KernelNodeParams) parameters{};
    parameters.func = reinterpret_cast<void*>(function);
    parameters.gridDim = dim3(ceil_div(n, std::uint32_t{chain::threads}));
    parameters.blockDim = dim3(chain::threads);
    parameters.kernelParams = pointers;
    return add("adding a kernel to a graph", after, GPU_API(GraphAddKernelNode), &parameters);
  }
  Node copy(void* to, const void* from, std::size_t bytes, GPU_API(MemcpyKind) kind,
            const Nodes& after) {
    return add("adding a copy to a graph", after, GPU_API(GraphAddMemcpyNode1D), to, from, bytes,
               kind);
  }
  Node zeros(std::uint32_t* words, std::uint32_t n, const Nodes& after) {
    GPU_API(MemsetParams) parameters{};
    parameters.dst = words;
    parameters.elementSize = sizeof *words;
    parameters.width = n;
    parameters.height = 1;
    return add("adding a fill to a graph", after, GPU_API(GraphAddMemsetNode), &parameters);
  }
  Node host(GPU_API(HostFn_t) function, void* argument, const Nodes& after) {
    GPU_API(HostNodeParams) parameters{};
    parameters.fn = function;
    parameters.userData = argument;
    return add("adding a function of the host to a graph", after, GPU_API(GraphAddHostNode),
               &parameters);
  }
  Node empty(const Nodes& after) {
    return add("adding an empty node to a graph", after, GPU_API(GraphAddEmptyNode));
  }
  // The other graph is copied.
  Node graph(const OwnGraph& other, const Nodes& after) {
    return add("adding a graph to a graph", after, GPU_API(GraphAddChildGraphNode), other.handle());
  }

 private:
  template <class Function, class... Arguments>
  Node add(const char* what, const Nodes& after, Function function, Arguments... arguments) {
    Node node = nullptr;
    check(function(&node, graph_, after.data(), after.size(), arguments...), what);
    return node;
  }

  GPU_API(Graph_t) graph_ = nullptr;
};

class EveryNode final : public Prepared {
 public:
  EveryNode(Stream& stream, const ChainArgs& args)
      : stream_(stream), host_constants_(stream.device()), constants_(stream.device(), 2) {
    native(stream);  // makes the device current
    OwnGraph graph;
    if (args.n > 0) build(graph, args);
    check(GPU_API(GraphInstantiateWithFlags)(&executable_, graph.handle(), 0),
          "instantiating a graph");
  }
  EveryNode(const EveryNode&) = delete;
  EveryNode& operator=(const EveryNode&) = delete;
  ~EveryNode() override {
    // Waits before the constants, which a run writes, are freed.
    static_cast<void>(GPU_API(StreamSynchronize)(native(stream_)));
    static_cast<void>(GPU_API(GraphExecDestroy)(executable_));
  }

  void run() override {
    check(GPU_API(GraphLaunch)(executable_, native(stream_)), "launching a graph");
  }

 private:
  void build(OwnGraph& graph, const ChainArgs& args) const {
    const std::size_t bytes = args.n * sizeof(std::uint32_t);
    const chain::Step* steps = constants_.data();

    // Two branches, joined by no edge.
    OwnGraph branches;
    add_steps(branches, args.x, args, &steps[0]);
    add_steps(branches, args.y, args, &steps[1]);

    const Node tell = graph.host(HostConstants::tell, host_constants_.constants(), {});
    const Node constants = graph.copy(constants_.data(), host_constants_.constants(),
                                      sizeof(Constants), GPU_API(MemcpyHostToDevice), {tell});
    const Node x = graph.copy(args.x, args.x_in, bytes, GPU_API(MemcpyDeviceToDevice), {});
    const Node y = graph.copy(args.y, args.y_in, bytes, GPU_API(MemcpyDeviceToDevice), {});
    const Node both_copied = graph.empty({x, y});
    const Node stepped = graph.graph(branches, {constants, both_copied});
    const Node zeros = graph.zeros(args.out, args.n, {});
    const Node joined =
        graph.kernel(join_onto_kernel, args.n, {stepped, zeros}, args.x, args.y, args.out, args.n);
    graph.host(HostConstants::forget, host_constants_.constants(), {joined});
  }
  static void add_steps(OwnGraph& graph, std::uint32_t* data, const ChainArgs& args,
                        const chain::Step* step) {
    Nodes last;
    for (std::uint32_t s = 0; s < args.steps; ++s)
      last = {graph.kernel(told_step_kernel, args.n, last, data, args.n, step)};
  }

  Stream& stream_;
  HostConstants host_constants_;
  Buffer<chain::Step> constants_;
  GPU_API(GraphExec_t) executable_ = nullptr;
};

}  // namespace

std::unique_ptr<Prepared> chain_every_node(Stream& stream, const ChainArgs& args) {
  return std::make_unique<EveryNode>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
