// A walk of a tree with four children a node: four boxes at each step, near children first.
//
//   H. Dammertz, J. Hanika, A. Keller, Shallow Bounding Volume Hierarchies for Fast SIMD Ray
//   Tracing of Incoherent Rays, 2008.
//
// One line of 128 bytes holds the boxes of four children, which a binary walk reads in three steps
// that wait for one another. A row of a node is one side of all four boxes, so the ray's direction
// says once which rows are near and which are far. Five exchanges sort the four distances; what is
// wanted beside the nearest child goes on the stack, the farthest first.
//
// Where the stack is full, the ray begins again in the binary tree (tracing::answer_wide).
#include <cstddef>

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

// Four numbers of a node, one for each child.
struct alignas(16) Row4 {
  float of[WideNode4::width];
};

// Which rows of a node hold the sides that the ray comes to first. It depends on the ray alone: the
// loads of a step bring the sides in the right order, and no box has to choose.
struct NearRows {
  unsigned x, y, z;

  __device__ explicit NearRows(unsigned downwards)
      : x((downwards & 1U) != 0 ? 3U : 0U),
        y((downwards & 2U) != 0 ? 4U : 1U),
        z((downwards & 4U) != 0 ? 5U : 2U) {}
  // The row of the opposite side.
  __device__ static unsigned far(unsigned near) { return near < 3 ? near + 3 : near - 3; }
};
static_assert(offsetof(WideNode4, max_x) == 3 * sizeof(Row4) &&
              offsetof(WideNode4, child) == 6 * sizeof(Row4));

struct alignas(16) ChildWords {
  std::uint32_t of[WideNode4::width];
};

template <class Query>
__device__ void children_near_first(const WideNode4* node, const NearRows& rows, Query& query,
                                    OpenChild (&children)[WideNode4::width]) {
  const auto* row = reinterpret_cast<const Row4*>(node);
  const Row4 near_x = load_whole(row + rows.x);
  const Row4 near_y = load_whole(row + rows.y);
  const Row4 near_z = load_whole(row + rows.z);
  const Row4 far_x = load_whole(row + NearRows::far(rows.x));
  const Row4 far_y = load_whole(row + NearRows::far(rows.y));
  const Row4 far_z = load_whole(row + NearRows::far(rows.z));
  const ChildWords words = load_whole(reinterpret_cast<const ChildWords*>(row + 6));
  UNROLL
  for (unsigned i = 0; i < WideNode4::width; ++i) {
    children[i] = {words.of[i], RaySlabs::misses};
    if (words.of[i] == WideNode4::no_child) continue;
    children[i].key = query.enter_sides({near_x.of[i], near_y.of[i], near_z.of[i]},
                                        {far_x.of[i], far_y.of[i], far_z.of[i]});
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
  const NearRows rows(query.downwards());
  OpenChild stack[stack_of_4];
  unsigned open = 0;
  OpenChild here{0, 0.0F};
  for (;;) {
    if (WideNode4::triangles_of(here.node) == 0) {
      OpenChild children[WideNode4::width];
      children_near_first(tree.four + here.node, rows, query, children);
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
