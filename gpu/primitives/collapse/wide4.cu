// Nodes of four children with exact boxes: half as deep a tree as the binary one, and a line of the
// cache for each step.
//
//   H. Dammertz, J. Hanika, A. Keller, Shallow Bounding Volume Hierarchies for Fast SIMD Ray
//   Tracing of Incoherent Rays, 2008; I. Wald, C. Benthin, S. Boulos, Getting Rid of Packets, 2008.
#include "gpu/primitives/collapse/waterfall.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

struct Layout4 {
  static constexpr unsigned width = WideNode4::width;

  struct Places {};  // as they come

  __device__ static Places arrange(collapse::Child (&/*children*/)[width], unsigned /*count*/) {
    return {};
  }
  __device__ static void write(const WideTree& out, std::uint32_t w,
                               const collapse::Child (&children)[width], unsigned count,
                               Places /*places*/, std::uint32_t first_node,
                               std::uint32_t first_triangle) {
    WideNode4 node{};
    UNROLL
    for (unsigned i = 0; i < width; ++i) {
      const bool is_there = i < count;
      const collapse::Child& child = children[i];
      const Aabb box = is_there ? child.box : Aabb::empty();
      node.min_x[i] = box.min.x;
      node.min_y[i] = box.min.y;
      node.min_z[i] = box.min.z;
      node.max_x[i] = box.max.x;
      node.max_y[i] = box.max.y;
      node.max_z[i] = box.max.z;
      if (!is_there)
        node.child[i] = WideNode4::no_child;
      else if (child.triangles > 0)
        node.child[i] = WideNode4::leaf(first_triangle + child.first, child.triangles);
      else
        node.child[i] = first_node + child.first;
    }
    out.four[w] = node;
  }
};

__global__ void __launch_bounds__(collapse::threads)
    collapse_wide4_kernel(CollapseArgs args, collapse::Queue queue) {
  __shared__ std::uint32_t ticket;
  collapse::make_tree<Layout4>(args, queue, ticket);
}

}  // namespace

void collapse_wide4(Stream& stream, const CollapseArgs& args, Scratch& scratch) {
  const auto queue = collapse::Queue::take(scratch, args.bvh.capacity);
  if (scratch.measuring()) return;
  queue.clear(stream);
  launch(stream, KERNEL(collapse_wide4_kernel), queue.shape(), args, queue);
}

}  // namespace warpview::WARPVIEW_BACKEND
