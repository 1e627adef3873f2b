// A walk without a stack: from a finished node the parent's link leads back up.
//
//   M. Hapala et al., Efficient Stack-less BVH Traversal for Ray Tracing, 2011.
//
// What a stack remembers, which child is still to be visited, is found out again: the children of
// the parent are ordered anew, and the node that is left is one of them. If it was the near one,
// the far one comes next, unless the nearest hit lies before it; if it was the far one, the walk
// climbs on. A node's children are thus tested up to three times, and a ray's state is one node,
// however deep the tree.
#include "gpu/primitives/trace/query.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

template <class Query>
__global__ void __launch_bounds__(tracing::threads) trace_stackless_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  Query query(args);
  query.ask(i);
  const std::uint32_t root = walk::root_of(args.bvh, args.count);
  if (root != Bvh::no_node) {
    const float key = query.enter(walk::node_of(args.bvh, root));
    if (query.wants(key)) walk::linked(args.bvh, root, key, query);
  }
  query.write(i);
}

}  // namespace

void trace_stackless(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_stackless_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
