// The pipeline's own kernels: gpu/pipeline/mesh_kernels.h says what each of them does.
//
// A kernel whose count lies on the device is launched for the upper bound; the threads beyond the
// count have nothing to do. Each launch has at least one thread, because commands and counts are
// written for an empty mesh too.
#include "gpu/pipeline/mesh_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned most_warps = block_size / warp::min_size;

Shape one_thread_each_at_least_one(std::uint32_t n) {
  return one_thread_each(std::max(n, 1U), block_size);
}

// ---- drop ---------------------------------------------------------------------------------------

// Infinities and NaNs are the floats whose exponent bits are all set. The bits are looked at
// because a compiler may assume away what isnan asks.
__device__ bool is_finite(float x) {
  constexpr std::uint32_t exponent = 0x7f800000U;
  return (std::bit_cast<std::uint32_t>(x) & exponent) != exponent;
}
__device__ bool is_finite(Vec3 v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }

// -0 becomes +0: from here on, equal floats have equal bits.
__device__ float without_negative_zero(float x) { return x == 0.0F ? 0.0F : x; }
__device__ Vec3 without_negative_zero(Vec3 v) {
  return {without_negative_zero(v.x), without_negative_zero(v.y), without_negative_zero(v.z)};
}

// keep[t] = 1 where triangle t is finite, else 0.
__global__ void drop_flag_kernel(const Vertex* corners, std::uint32_t n, std::uint32_t* keep) {
  const std::uint32_t t = global_thread();
  if (t >= n) return;
  const Vertex* corner = corners + 3 * std::size_t{t};
  keep[t] = is_finite(corner[0].position) && is_finite(corner[1].position) &&
                    is_finite(corner[2].position)
                ? 1
                : 0;
}

// One thread a corner. kept_until[t] is how many of the triangles 0 ... t are kept: triangle t is
// among them where the number grows, and the number before is its new place.
__global__ void drop_compact_kernel(DropArgs args, const std::uint32_t* kept_until) {
  const std::uint32_t c = global_thread();
  if (c == 0) {
    const std::uint32_t kept = args.n > 0 ? kept_until[args.n - 1] : 0;
    args.counts->triangles = kept;
    args.counts->corners = 3 * kept;
    args.counts->dropped = args.n - kept;
  }
  const std::uint32_t t = c / 3;
  if (t >= args.n) return;
  const std::uint32_t place = t > 0 ? kept_until[t - 1] : 0;
  if (kept_until[t] == place) return;

  const Vertex corner = args.corners[c];
  args.kept_corners[3 * place + c % 3] = {
      without_negative_zero(corner.position),
      without_negative_zero(corner.normal),
      {without_negative_zero(corner.texcoord.x), without_negative_zero(corner.texcoord.y)}};
  if (c % 3 == 0) args.kept_material[place] = args.material[t];
}

// ---- triangle_boxes -----------------------------------------------------------------------------

__global__ void triangle_boxes_kernel(TriangleBoxArgs args) {
  const std::uint32_t t = global_thread();
  if (t >= args.n) return;
  Aabb box = Aabb::empty();
  if (t < *args.count) {
    const std::uint32_t* corner = args.indices + 3 * std::size_t{t};
    const Vec3 a = args.vertices[corner[0]].position;
    const Vec3 b = args.vertices[corner[1]].position;
    const Vec3 c = args.vertices[corner[2]].position;
    box = {min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
  }
  args.boxes[t] = box;
}

// ---- deform -------------------------------------------------------------------------------------

__device__ float component(Vec3 v, std::uint32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
__device__ Vec3 along(std::uint32_t axis, float length) {
  return {axis == 0 ? length : 0.0F, axis == 1 ? length : 0.0F, axis == 2 ? length : 0.0F};
}

// The wave maps p to p + A sin(k a.p - phase) d, with a and d the unit vectors of its axis and its
// direction. The Jacobian of that map is I + g d a^T with g = A k cos(k a.p - phase).
//
// Normals go through the inverse transpose, which by Sherman and Morrison is
// I - g / (1 + g a.d) a d^T. We multiply it by the determinant 1 + g a.d: that needs no division
// where a longitudinal wave (a = d) compresses the mesh to nothing, and the normal keeps to the
// side from which the triangle is seen where it folds over.
__global__ void deform_kernel(DeformArgs args) {
  const std::uint32_t v = global_thread();
  if (v >= args.n || v >= *args.count) return;
  const Wave wave = *args.wave;
  Vertex vertex = args.rest[v];

  const float angle = wave.wave_number * component(vertex.position, wave.axis) - wave.phase;
  const float slope = wave.amplitude * wave.wave_number * cosf(angle);
  vertex.position = vertex.position + along(wave.direction, wave.amplitude * sinf(angle));

  const float determinant = wave.axis == wave.direction ? 1.0F + slope : 1.0F;
  const Vec3 normal = vertex.normal * determinant -
                      along(wave.axis, slope * component(vertex.normal, wave.direction));
  const float length = sqrtf(dot(normal, normal));
  if (length > 0.0F) vertex.normal = normal * (1.0F / length);
  args.vertices[v] = vertex;
}

// ---- tree_statistics ----------------------------------------------------------------------------

// Is this place of the node array in use? `count` primitives have count - 1 inner nodes.
__device__ bool is_node(const Bvh& bvh, std::uint32_t node, std::uint32_t count) {
  const std::uint32_t first_leaf = bvh.first_leaf();
  return node < first_leaf ? node + 1 < count : node < first_leaf + count;
}

__global__ void tree_statistics_kernel(TreeStatisticsArgs args) {
  const std::uint32_t node = global_thread();
  const std::uint32_t count = *args.count;
  const Bvh& bvh = args.bvh;
  if (node == 0) args.out->inner_nodes = count > 0 ? count - 1 : 0;

  std::uint32_t depth = 0;
  double cost = 0.0;
  if (count > 0 && node < bvh.node_count() && is_node(bvh, node, count)) {
    for (std::uint32_t up = bvh.parent[node]; up != Bvh::no_node; up = bvh.parent[up]) ++depth;
    args.depth[node] = depth;
    const double root_area = bvh.nodes[*bvh.root].box().half_area();
    if (root_area > 0.0) cost = bvh.nodes[node].box().half_area() / root_area;
  }

  // Combine within the warp, then within the block, so that only one thread a block goes to memory.
  __shared__ std::uint32_t warp_depth[most_warps];
  __shared__ double warp_cost[most_warps];
  depth = warp::reduce(depth, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
  cost = warp::reduce(cost, [](double a, double b) { return a + b; });
  if (warp::lane() == 0) {
    warp_depth[warp::index()] = depth;
    warp_cost[warp::index()] = cost;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < blockDim.x / warp::size(); ++w) {
    depth = warp_depth[w] > depth ? warp_depth[w] : depth;
    cost += warp_cost[w];
  }
  if (depth > 0) atomicMax(&args.out->max_depth, depth);
  if (cost > 0.0) atomicAdd(&args.out->sah_cost, cost);
}

// ---- write_mesh, write_boxes, write_curve -------------------------------------------------------

// Thread i copies vertex i, index i and material i.
__global__ void write_mesh_kernel(WriteMeshArgs args) {
  const std::uint32_t i = global_thread();
  const MeshCounts counts = *args.counts;
  if (i == 0) {
    args.commands->mesh = {counts.corners, 1, 0, 0, 0};
    args.commands->points = {counts.vertices, 1, 0, 0};
  }
  if (args.out_vertices && i < counts.vertices) args.out_vertices[i] = args.vertices[i];
  if (args.out_indices && i < counts.corners) args.out_indices[i] = args.indices[i];
  if (args.out_material && i < counts.triangles) args.out_material[i] = args.material[i];
}

// Appends the box of every node at the wanted depth. A block counts its boxes first, so that it
// takes places in the output with one atomic.
__global__ void write_boxes_kernel(WriteBoxesArgs args) {
  const std::uint32_t node = global_thread();
  const std::uint32_t count = *args.count;
  const Bvh& bvh = args.bvh;
  constexpr std::uint32_t vertices_per_box = 24;
  if (node == 0) args.commands->boxes.count = vertices_per_box;

  const bool wanted = count > 0 && node < bvh.node_count() && is_node(bvh, node, count) &&
                      args.depth[node] == *args.level;
  const warp::LaneMask wanted_lanes = warp::ballot(warp::all_lanes(), wanted);

  __shared__ std::uint32_t warp_place[most_warps];
  if (warp::lane() == 0) warp_place[warp::index()] = warp::count(wanted_lanes);
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t total = 0;
    for (unsigned w = 0; w < blockDim.x / warp::size(); ++w) total += warp_place[w];
    std::uint32_t place = total > 0 ? atomicAdd(&args.commands->boxes.instances, total) : 0;
    for (unsigned w = 0; w < blockDim.x / warp::size(); ++w) {
      const std::uint32_t in_warp = warp_place[w];
      warp_place[w] = place;
      place += in_warp;
    }
  }
  __syncthreads();
  if (!wanted) return;
  const std::uint32_t rank = warp::count(wanted_lanes & warp::lanes_before());
  args.out[warp_place[warp::index()] + rank] = bvh.nodes[node].box();
}

__global__ void write_curve_kernel(WriteCurveArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t count = *args.count;
  if (i == 0) args.commands->curve = {count, 1, 0, 0};
  if (i < count) args.out[i] = args.boxes[args.primitives[i]].centre();
}

}  // namespace

void drop(Stream& stream, const DropArgs& args, Workspace& workspace) {
  auto* kept_until = workspace.take<std::uint32_t>(args.n);
  if (!workspace.measuring())
    launch(stream, KERNEL(drop_flag_kernel), one_thread_each(args.n, block_size), args.corners,
           args.n, kept_until);
  args.scan(stream, {.in = kept_until, .out = kept_until, .n = args.n, .inclusive = true},
            workspace);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(drop_compact_kernel), one_thread_each_at_least_one(3 * args.n), args,
         kept_until);
}

void triangle_boxes(Stream& stream, const TriangleBoxArgs& args) {
  launch(stream, KERNEL(triangle_boxes_kernel), one_thread_each(args.n, block_size), args);
}

void deform(Stream& stream, const DeformArgs& args) {
  launch(stream, KERNEL(deform_kernel), one_thread_each(args.n, block_size), args);
}

void tree_statistics(Stream& stream, const TreeStatisticsArgs& args) {
  stream.fill(args.out, 0, sizeof(TreeStatistics));
  launch(stream, KERNEL(tree_statistics_kernel),
         one_thread_each_at_least_one(args.bvh.node_count()), args);
}

void write_mesh(Stream& stream, const WriteMeshArgs& args) {
  launch(stream, KERNEL(write_mesh_kernel),
         one_thread_each_at_least_one(std::max(args.n_vertices, 3 * args.n_triangles)), args);
}

void write_boxes(Stream& stream, const WriteBoxesArgs& args) {
  stream.fill(&args.commands->boxes, 0, sizeof(DrawArraysCommand));
  launch(stream, KERNEL(write_boxes_kernel), one_thread_each_at_least_one(args.bvh.node_count()),
         args);
}

void write_curve(Stream& stream, const WriteCurveArgs& args) {
  launch(stream, KERNEL(write_curve_kernel), one_thread_each_at_least_one(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
