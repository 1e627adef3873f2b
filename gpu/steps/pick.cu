// A picked primitive: gpu/steps/pick.h says what each step writes.
#include "gpu/steps/pick.h"

#include <algorithm>
#include <bit>

#include "gpu/runtime/kernel.h"
#include "gpu/steps/particles.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned pick_block_size = 256;

// One thread per leaf tests whether its leaf is the picked one, since the order of leaves may have
// changed in this frame. That thread walks up to the root; the depths say where each box goes.
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

// Distance at which the ray enters the sphere, if ahead; else a negative number. Computed from the
// point of the ray that is nearest to the centre: distances of the size of the sphere round less
// than those to an eye far away.
__device__ float enters_sphere(const Ray& ray, Vec3 centre, float radius) {
  const Vec3 to_centre = centre - ray.origin;
  const float squared = dot(ray.direction, ray.direction);
  const float middle = dot(to_centre, ray.direction) / squared;
  const Vec3 off = to_centre - ray.direction * middle;
  const float half = (radius * radius - dot(off, off)) / squared;
  return half >= 0.0F ? middle - sqrtf(half) : -1.0F;  // NaN: a centre that does not exist
}

// The nearer of two hits is the smaller number: bits of non-negative floats have the order of the
// floats.
__device__ std::uint64_t as_word(float t, std::uint32_t number) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(t + 0.0F)} << 32U | number;  // 0, not -0
}

// A ray meets few spheres, so one atomic for each.
__global__ void nearest_sphere_kernel(PickSphereArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const float t = enters_sphere(*args.ray, args.positions[i].xyz, args.radius);
  if (t >= 0.0F) atomicMin(args.nearest, as_word(t, number_of(args.motions[i])));
}

// The picked sphere writes its own data.
__global__ void write_picked_sphere_kernel(PickSphereArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint64_t nearest = *args.nearest;
  const Vec4 motion = args.motions[i];
  const std::uint32_t number = number_of(motion);
  constexpr std::uint64_t none = ~std::uint64_t{0};
  if (nearest == none || number != static_cast<std::uint32_t>(nearest)) return;
  // The word has the distance: computed again it might be rounded differently.
  const float t = std::bit_cast<float>(static_cast<std::uint32_t>(nearest >> 32U));
  *args.hit = {number, t, args.positions[i].xyz, motion.xyz};
}

}  // namespace

void pick_sphere(Stream& stream, const PickSphereArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.nearest, 0xff, sizeof *args.nearest);
  stream.fill(args.hit, 0xff, sizeof *args.hit);
  if (args.n == 0) return;
  launch(stream, KERNEL(nearest_sphere_kernel), one_thread_each(args.n, pick_block_size), args);
  launch(stream, KERNEL(write_picked_sphere_kernel), one_thread_each(args.n, pick_block_size),
         args);
}

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
