// A walk with a stack: near children first, nodes behind the nearest hit are skipped.
//
//   T. Aila, S. Laine, Understanding the Efficiency of Ray Traversal on GPUs, 2009 (while-while).
//
// One thread per ray. Where a ray meets both children of a node, it goes on into the one that it
// enters first and puts the other one aside, with the distance at which it would enter it. When it
// comes back to that child it may have found a hit before it, and then need not look at it at all.
//
// A walk has two kinds of steps: inner nodes, with two boxes each, and leaves, with a triangle. The
// lanes of a warp run one kind at a time. So there are two loops, one inside the other: each lane
// goes down until it holds a leaf, and only when all lanes hold one, or are done, they test their
// triangles together (walk::NearFirst::to_leaf).
//
// The stack lies in local memory. It holds 64 nodes, far more than a tree over millions of
// triangles asks for at a time; deeper walks go on by parent links (walk::linked), slower and just
// as right.
#include "gpu/primitives/trace/query.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

template <class Query>
__global__ void RESIDENT_BLOCKS(tracing::threads, tracing::resident_blocks)
    trace_stack_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  Query query(args);
  query.ask(i);
  walk::near_first(args.bvh, walk::root_of(args.bvh, args.count), query);
  query.write(i);
}

}  // namespace

void trace_stack(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_stack_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
