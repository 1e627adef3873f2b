// Writes what is drawn: gpu/steps/write.h says what each step writes.
#include "gpu/steps/write.h"

#include <algorithm>

#include "gpu/block/scan.h"
#include "gpu/steps/node_places.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned write_block_size = 256;

// Thread i copies vertex i, index i, material i and the colour of corner i: to each copy.
__global__ void write_mesh_kernel(WriteMeshArgs args) {
  const std::uint32_t i = global_thread();
  const MeshCounts counts = *args.counts;
  if (i == 0) {
    *args.triangles = {args.copies * counts.corners, 1, 0, 0, 0};
    *args.points = {args.copies * counts.vertices, 1, 0, 0, 0};
  }
  for (std::uint32_t copy = 0; copy < args.copies; ++copy) {
    const std::uint32_t vertex = copy * counts.vertices + i;
    const std::uint32_t corner = copy * counts.corners + i;
    if (args.out_vertices && i < counts.vertices)
      args.out_vertices[vertex] = args.vertices[copy * args.n_vertices + i];
    if (args.out_indices && i < counts.corners)
      args.out_indices[corner] = args.indices[i] + copy * counts.vertices;
    if (args.out_colours && i < counts.corners) args.out_colours[corner] = args.colours[i];
    if (args.out_material && i < counts.triangles)
      args.out_material[copy * counts.triangles + i] = args.material[i];
  }
}

__global__ void write_one_box_kernel(WriteOneBoxArgs args) {
  if (global_thread() != 0) return;
  *args.out = *args.box;
  *args.command = {vertices_per_box, 1, 0, 0, 0};
}

// Appends the box of every node at the wanted depth. A thread handles several nodes, and a block
// counts its boxes first, so that it reserves places in the output with one atomic.
constexpr std::uint32_t nodes_looked_at = 8;

__global__ void write_boxes_kernel(WriteBoxesArgs args) {
  const std::uint32_t count = *args.count;
  const Bvh& bvh = args.bvh;
  if (global_thread() == 0) args.command->count = vertices_per_box;

  const auto node_of = [](std::uint32_t i) {
    return (blockIdx.x * nodes_looked_at + i) * blockDim.x + threadIdx.x;
  };
  std::uint32_t wanted = 0;  // one bit per node
  for (std::uint32_t i = 0; i < nodes_looked_at; ++i) {
    const std::uint32_t node = node_of(i);
    if (count > 0 && node < bvh.node_count() && is_node(bvh, node, count) &&
        args.depth[node] == *args.level)
      wanted |= 1U << i;
  }
  __shared__ block::SumStorage<write_block_size> storage;
  __shared__ std::uint32_t first_place;
  const auto [rank, total] = block::exclusive_sum(warp::count(wanted), storage);
  if (threadIdx.x == 0) first_place = total > 0 ? atomicAdd(&args.command->instances, total) : 0;
  __syncthreads();
  std::uint32_t place = first_place + rank;
  for (std::uint32_t i = 0; i < nodes_looked_at; ++i) {
    if ((wanted >> i & 1U) == 0) continue;
    const BvhNode node = bvh.nodes[node_of(i)];
    if (args.overlaps) args.overlaps[place] = children_overlap(bvh.nodes, node);
    args.out[place++] = node.box();
  }
}

__global__ void write_curve_kernel(WriteCurveArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t count = *args.count;
  if (i == 0) *args.command = {count, 1, 0, 0, 0};
  if (i < count) args.out[i] = args.boxes[args.primitives[i]].centre();
}

}  // namespace

// Commands are written for an empty mesh too, so each launch has at least one thread.
void write_mesh(Stream& stream, const WriteMeshArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const std::uint32_t most = std::max({args.n_vertices, 3 * args.n_triangles, 1U});
  launch(stream, KERNEL(write_mesh_kernel), one_thread_each(most, write_block_size), args);
}

void write_boxes(Stream& stream, const WriteBoxesArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (!args.appends) stream.fill(args.command, 0, sizeof(DrawCommand));
  const std::uint32_t threads = std::max(ceil_div(args.bvh.node_count(), nodes_looked_at), 1U);
  launch(stream, KERNEL(write_boxes_kernel), one_thread_each(threads, write_block_size), args);
}

void write_one_box(Stream& stream, const WriteOneBoxArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(write_one_box_kernel), one_thread_each(1, 64), args);
}

void write_curve(Stream& stream, const WriteCurveArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(write_curve_kernel),
         one_thread_each(std::max(args.n, 1U), write_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
