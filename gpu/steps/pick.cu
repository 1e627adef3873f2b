// A picked primitive: gpu/steps/pick.h says what each of them leaves.
#include "gpu/steps/pick.h"

#include <algorithm>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned pick_block_size = 256;

// A thread for each leaf looks whether it is the one, since the order of leaves may have changed in
// this frame. The one that is walks up to the root; the depths tell where each box goes.
__global__ void write_path_kernel(WritePathArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t picked = *args.picked;
  if (i >= *args.count || args.primitives[i] != picked) return;
  const std::uint32_t leaf = args.bvh.first_leaf() + i;
  const std::uint32_t depth = args.depth[leaf];
  if (args.leaf) *args.leaf = {i, depth};
  if (!args.out) return;
  std::uint32_t place = depth;
  for (std::uint32_t node = leaf; node != Bvh::no_node; node = args.bvh.parent[node], --place)
    if (place < Bvh::longest_path) args.out[place] = args.bvh.nodes[node].box();
  const std::uint32_t boxes = depth + 1;
  *args.command = {vertices_per_box, boxes < Bvh::longest_path ? boxes : Bvh::longest_path, 0, 0,
                   0};
}

__global__ void write_triangle_kernel(WriteTriangleArgs args) {
  const std::uint32_t corner = global_thread();
  const std::uint32_t picked = *args.picked;
  const bool is_there = picked < *args.count;
  if (corner == 0) *args.command = {is_there ? 3U : 0U, 1, 0, 0, 0};
  if (is_there && corner < 3)
    args.out[corner] = args.vertices[args.indices[3 * std::size_t{picked} + corner]].position;
}

}  // namespace

void write_path(Stream& stream, const WritePathArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.out) stream.fill(args.command, 0, sizeof(DrawCommand));
  launch(stream, KERNEL(write_path_kernel), one_thread_each(std::max(args.n, 1U), pick_block_size),
         args);
}

void write_triangle(Stream& stream, const WriteTriangleArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(write_triangle_kernel), one_thread_each(3, 64), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
