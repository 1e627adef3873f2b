// Nearest hits by a walk down the tree: near children first; nodes beyond the nearest hit so far
// are skipped. One thread per ray has a stack of nodes that are still to be visited.
#include "gpu/steps/trace.h"

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned trace_block_size = 128;
constexpr float beyond_all = 3.402823466e38F;

// The ray in the form that tests against boxes need.
struct Walker {
  Vec3 origin, direction, inverse;
};

__device__ float least(float a, float b) { return a < b ? a : b; }
__device__ float largest(float a, float b) { return a > b ? a : b; }

// Narrows [first, last] to where the ray is between two planes across an axis. A direction of 0
// along that axis gives infinities, and NaN where the origin lies in a plane: least and largest
// ignore a NaN in their first argument, so that such a ray counts as inside.
__device__ void cut(float low, float high, float origin, float inverse, float& first, float& last) {
  const bool upwards = inverse > 0.0F;
  first = largest(((upwards ? low : high) - origin) * inverse, first);
  last = least(((upwards ? high : low) - origin) * inverse, last);
}

// Narrows [first, last] to where the ray is in the box.
__device__ void cut(const Walker& ray, const BvhNode& node, float& first, float& last) {
  cut(node.min.x, node.max.x, ray.origin.x, ray.inverse.x, first, last);
  cut(node.min.y, node.max.y, ray.origin.y, ray.inverse.y, first, last);
  cut(node.min.z, node.max.z, ray.origin.z, ray.inverse.z, first, last);
}

// Distance at which the ray enters the box, if before `farthest`; else a negative number.
__device__ float enters(const Walker& ray, const BvhNode& node, float farthest) {
  float first = 0.0F;
  float last = farthest;
  cut(ray, node, first, last);
  // The sides were computed with rounding: they are widened a little, so that no triangle in them
  // is missed.
  return first <= last * 1.0000004F ? first : -1.0F;
}

// The nearer one, or the one with the smaller number.
__device__ void keep_nearer(const RayHit& hit, RayHit& nearest) {
  const bool is_first = nearest.triangle == RayHit::nothing;
  if (is_first || hit.t < nearest.t || (hit.t == nearest.t && hit.triangle < nearest.triangle))
    nearest = hit;
}

// T. Möller, B. Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997.
__device__ void meet(const TraceArgs& args, const Walker& ray, std::uint32_t triangle,
                     RayHit& nearest) {
  const std::uint32_t* corner = args.indices + 3 * std::size_t{triangle};
  const Vec3 a = args.vertices[corner[0]].position;
  const Vec3 ab = args.vertices[corner[1]].position - a;
  const Vec3 ac = args.vertices[corner[2]].position - a;
  const Vec3 p = cross(ray.direction, ac);
  const float determinant = dot(ab, p);
  if (determinant == 0.0F) return;
  const float scale = 1.0F / determinant;
  const Vec3 from_a = ray.origin - a;
  const float u = dot(from_a, p) * scale;
  const Vec3 q = cross(from_a, ab);
  const float v = dot(ray.direction, q) * scale;
  const float t = dot(ac, q) * scale;
  if (!(u >= 0.0F && v >= 0.0F && u + v <= 1.0F && t >= 0.0F)) return;
  keep_nearer({triangle, t, u, v}, nearest);
}

// A leaf's own box.
__device__ void meet_box(const Walker& ray, const BvhNode& leaf, RayHit& nearest) {
  float first = 0.0F;
  float last = beyond_all;
  cut(ray, leaf, first, last);
  if (first <= last && last < beyond_all)
    keep_nearer({leaf.left, first > 0.0F ? first : last, 0.0F, 0.0F}, nearest);
}

__global__ void trace_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const Ray asked = args.rays[i];
  const Walker ray{asked.origin,
                   asked.direction,
                   {1.0F / asked.direction.x, 1.0F / asked.direction.y, 1.0F / asked.direction.z}};
  RayHit nearest;
  const auto reach = [&nearest] {
    return nearest.triangle == RayHit::nothing ? beyond_all : nearest.t;
  };

  std::uint32_t stack[Bvh::longest_path];
  int open = 0;
  std::uint32_t node = *args.count > 0 ? *args.bvh.root : Bvh::no_node;
  std::uint32_t visited = 0;
  while (node != Bvh::no_node) {
    ++visited;
    const BvhNode here = args.bvh.nodes[node];
    node = Bvh::no_node;
    if (here.is_leaf()) {
      if (args.is_of_boxes)
        meet_box(ray, here, nearest);
      else
        meet(args, ray, here.left, nearest);
    } else {
      const float left = enters(ray, args.bvh.nodes[here.left], reach());
      const float right = enters(ray, args.bvh.nodes[here.right], reach());
      if (left >= 0.0F && right >= 0.0F) {
        const bool left_first = left <= right;
        node = left_first ? here.left : here.right;
        stack[open++] = left_first ? here.right : here.left;
      } else if (left >= 0.0F || right >= 0.0F) {
        node = left >= 0.0F ? here.left : here.right;
      }
    }
    // A node on the stack may lie beyond a hit found since.
    while (node == Bvh::no_node && open > 0) {
      const std::uint32_t aside = stack[--open];
      if (enters(ray, args.bvh.nodes[aside], reach()) >= 0.0F) node = aside;
    }
  }
  args.hits[i] = nearest;
  if (args.visited) args.visited[i] = visited;
}

}  // namespace

void trace(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(trace_kernel), one_thread_each(args.n, trace_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
