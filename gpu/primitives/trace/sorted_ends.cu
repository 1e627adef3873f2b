// Rays sorted by where they begin and where they probably end, then walked as by stack.cu.
//
//   D. Meister, J. Boksansky, M. Guthe, J. Bittner, On Ray Reordering Techniques for Faster GPU Ray
//   Tracing, 2020 (the end of a ray as part of its key).
//
// The nodes that a ray visits lie along it, from its origin to its hit. Two rays with the same
// origin and nearly the same direction end far apart if they are long; two short ones visit the
// same nodes even if they point apart. So the key holds two points, origin and end. The end is not
// known before the walk. The estimate here is the point at a quarter of the scene's diagonal, or at
// tmax if that is nearer. The bits of both points take turns.
#include "gpu/primitives/trace/in_order.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

struct OriginAndEnd {
  static constexpr int bits = 5;  // per axis of either point: 30 of 32

  __device__ static std::uint32_t of(const BoundedRay& ray, const Aabb& box) {
    const Vec3 diagonal = box.max - box.min;
    const float reach = 0.25F * sqrtf(dot(diagonal, diagonal) / dot(ray.direction, ray.direction));
    const Vec3 end = ray.origin + ray.direction * smaller_of(reach, ray.tmax);
    const std::uint32_t from = tracing::cell_code(ray.origin, box, bits);
    const std::uint32_t to = tracing::cell_code(end, box, bits);
    // Three bits of either in turn: of the coarsest cells first.
    std::uint32_t key = 0;
    for (unsigned level = 0; level < bits; ++level)
      key |= (from >> 3 * level & 7U) << (6 * level + 3) | (to >> 3 * level & 7U) << 6 * level;
    return key;
  }
};

__global__ void origin_and_end_kernel(TraceArgs args, std::uint32_t* keys) {
  tracing::write_ray_key(args, keys, [](const BoundedRay& ray, const Aabb& box) {
    return OriginAndEnd::of(ray, box);
  });
}

}  // namespace

void trace_sorted_ends(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  tracing::trace_sorted(stream, args, scratch, KERNEL(origin_and_end_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
