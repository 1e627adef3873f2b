// A walk of a tree with four children a node: four boxes at each step, near children first.
//
//   H. Dammertz, J. Hanika, A. Keller, Shallow Bounding Volume Hierarchies for Fast SIMD Ray
//   Tracing of Incoherent Rays, 2008.
//
// One load of 128 bytes brings the boxes of four children, which a binary walk reads in three steps
// that wait for one another. Five exchanges sort the four distances; what is wanted beside the
// nearest child goes on the stack, the farthest first.
//
// Where the stack is full, the ray begins again in the binary tree (tracing::answer_wide).
#include "gpu/primitives/trace/query.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned stack_of_4 = tile_extent(64U, 6U);

using OpenChild = walk::Open;  // its node is a WideNode4's child word

// The nearer one first.
__device__ inline void exchange(OpenChild& a, OpenChild& b) {
  if (!(b.key < a.key)) return;
  const OpenChild farther = a;
  a = b;
  b = farther;
}

template <class Query>
__device__ void children_near_first(const WideNode4& node, Query& query,
                                    OpenChild (&children)[WideNode4::width]) {
  UNROLL
  for (unsigned i = 0; i < WideNode4::width; ++i) {
    children[i] = {node.child[i], RaySlabs::misses};
    if (node.child[i] == WideNode4::no_child) continue;
    children[i].key = query.enter(node.box(i));
  }
  exchange(children[0], children[1]);
  exchange(children[2], children[3]);
  exchange(children[0], children[2]);
  exchange(children[1], children[3]);
  exchange(children[1], children[2]);
}

// True if the walk is done; false if the stack was too small for it.
template <class Query>
__device__ bool walk_four(const WideTree& tree, Query& query) {
  OpenChild stack[stack_of_4];
  unsigned open = 0;
  OpenChild here{0, 0.0F};
  for (;;) {
    if (WideNode4::triangles_of(here.node) == 0) {
      OpenChild children[WideNode4::width];
      children_near_first(load_whole(tree.four + here.node), query, children);
      UNROLL
      for (unsigned i = WideNode4::width - 1; i > 0; --i) {
        if (!query.wants(children[i].key)) continue;
        if (open == stack_of_4) return false;
        stack[open++] = children[i];
      }
      here = children[0];
      if (query.wants(here.key)) continue;
    } else {
      const std::uint32_t first = WideNode4::first_of(here.node);
      for (unsigned i = 0; i < WideNode4::triangles_of(here.node); ++i)
        if (query.triangle(load_whole(tree.triangles + first + i))) return true;
    }
    do {
      if (open == 0) return true;
      here = stack[--open];
    } while (!query.wants(here.key));
  }
}

template <class Query>
__global__ void RESIDENT_BLOCKS(tracing::threads, tracing::resident_blocks)
    trace_wide4_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  tracing::answer_wide<Query>(args, i, [&](Query& query) { return walk_four(args.wide, query); });
}

}  // namespace

void trace_wide4(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_wide4_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
