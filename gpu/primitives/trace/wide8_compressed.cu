// A walk of a tree with eight children a node, whose boxes have 8 bits a side.
//
//   H. Ylitie, T. Karras, S. Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
//   Wide BVHs, 2017.
//
// What a walk waits for is memory, and here a node of 80 bytes brings eight boxes. The children of
// a node that are wanted go on the stack together, as one entry: where they are, and a bit for
// each. Of these the ray takes the one whose slot comes first for its direction, so that no
// distance is compared or stored. In exchange a node on the stack may lie behind a hit that was
// found since: its children then turn out not to be wanted.
//
// A decoded box contains the exact one and is tested by the same expression, so a wanted triangle
// is never missed. The ray's key for a triangle comes from the triangle's own box: the answers have
// the bits of all other variants.
#include "gpu/primitives/trace/query.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// Groups that the stack holds, one for each level. Deeper walks begin again in the binary tree
// (tracing::answer_wide).
constexpr unsigned stack_of_8 = tile_extent(32U, 2U);

// Inner children of one node that are still to be visited.
struct NodeGroup {
  std::uint32_t first;  // WideNode8::first_node
  // Bits 0 to 7: those to be visited, in the ray's order; 8 to 15: the slots of inner nodes.
  std::uint32_t bits;

  __device__ bool is_empty() const { return (bits & 0xffU) == 0; }
  // Takes the next one out.
  __device__ std::uint32_t take_next(unsigned downwards) {
    const unsigned slot = warp::first(bits & 0xffU) ^ downwards;
    bits &= bits - 1;
    return first + WideNode8::rank(bits >> 8U, slot);
  }
};

// The children of a node that a ray wants: inner nodes, and, a bit each, triangles behind
// first_triangle.
struct Wanted {
  NodeGroup nodes;
  std::uint32_t triangles;
};

template <class Query>
__device__ Wanted wanted_children(const WideNode8& node, unsigned downwards, Query& query) {
  Wanted wanted{{node.first_node, node.inner_slots() << 8U}, 0};
  const Vec3 scale{node.scale(0), node.scale(1), node.scale(2)};
  // The sides that the ray comes to first and last are the same ones for all children.
  const bool falls_x = (downwards & 1U) != 0;
  const bool falls_y = (downwards & 2U) != 0;
  const bool falls_z = (downwards & 4U) != 0;
  const std::uint64_t near_x = falls_x ? node.max_x : node.min_x;
  const std::uint64_t near_y = falls_y ? node.max_y : node.min_y;
  const std::uint64_t near_z = falls_z ? node.max_z : node.min_z;
  const std::uint64_t far_x = falls_x ? node.min_x : node.max_x;
  const std::uint64_t far_y = falls_y ? node.min_y : node.max_y;
  const std::uint64_t far_z = falls_z ? node.min_z : node.max_z;
  UNROLL
  for (unsigned slot = 0; slot < WideNode8::width; ++slot) {
    const std::uint32_t kind = WideNode8::byte(node.kinds, slot);
    if (kind == 0) continue;
    const auto sides = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
      return Vec3{WideNode8::side(node.origin.x, scale.x, WideNode8::number(x, slot)),
                  WideNode8::side(node.origin.y, scale.y, WideNode8::number(y, slot)),
                  WideNode8::side(node.origin.z, scale.z, WideNode8::number(z, slot))};
    };
    const float key = query.enter_sides(sides(near_x, near_y, near_z), sides(far_x, far_y, far_z));
    if (!query.wants(key)) continue;
    if (kind == WideNode8::inner_mark)
      wanted.nodes.bits |= 1U << (slot ^ downwards);
    else
      wanted.triangles |= ((1U << (kind >> 5U)) - 1U) << (kind & 31U);
  }
  return wanted;
}

// True if the walk is done; false if the stack was too small for it.
template <class Query>
__device__ bool walk_eight(const WideTree& tree, Query& query) {
  const unsigned downwards = query.downwards();
  NodeGroup stack[stack_of_8];
  unsigned open = 0;
  NodeGroup group{0, 1U << downwards | 1U << 8U};  // the root alone, in slot 0
  for (;;) {
    if (group.is_empty()) {
      if (open == 0) return true;
      group = stack[--open];
    }
    const WideNode8 node = load_whole(tree.eight + group.take_next(downwards));
    if (!group.is_empty()) {
      if (open == stack_of_8) return false;
      stack[open++] = group;
    }
    const Wanted wanted = wanted_children(node, downwards, query);
    for (std::uint32_t left = wanted.triangles; left != 0; left &= left - 1)
      if (query.triangle(load_whole(tree.triangles + node.first_triangle + warp::first(left))))
        return true;
    group = wanted.nodes;
  }
}

template <class Query>
__global__ void RESIDENT_BLOCKS(tracing::threads, tracing::resident_blocks)
    trace_wide8_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  tracing::answer_wide<Query>(args, i, [&](Query& query) { return walk_eight(args.wide, query); });
}

}  // namespace

void trace_wide8_compressed(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_wide8_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
