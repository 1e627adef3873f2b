// Rays sorted by where they begin and where they point, then walked as by stack.cu.
//
//   T. Aila, T. Karras, Architecture Considerations for Tracing Incoherent Rays, 2010 (keys of
//   origin and direction).
//   D. Meister, J. Boksansky, M. Guthe, J. Bittner, On Ray Reordering Techniques for Faster GPU Ray
//   Tracing, 2020 (when sorting pays).
//
// Rays of bounces leave a surface in all directions: the lanes of a warp walk down different parts
// of the tree, and load different nodes. Rays that begin near each other and point the same way
// load the same ones. The key is the Morton code of the origin's cell, and below it the direction's
// place on a square that the sphere of directions is unfolded to. The sort is the catalogue's.
#include "gpu/primitives/trace/in_order.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

struct OriginAndDirection {
  static constexpr int origin_bits = 7;       // per axis: 21 of 32
  static constexpr float directions = 32.0F;  // per axis of the square: 10 bits more

  // Octahedral coordinates in [0, directions): the half behind is folded outwards.
  __device__ static std::uint32_t direction_code(Vec3 d) {
    const auto size = [](float x) { return x < 0.0F ? -x : x; };
    const float scale = 1.0F / (size(d.x) + size(d.y) + size(d.z));
    float x = d.x * scale;
    float y = d.y * scale;
    if (d.z < 0.0F) {
      const float folded_x = (1.0F - size(y)) * (x < 0.0F ? -1.0F : 1.0F);
      y = (1.0F - size(x)) * (y < 0.0F ? -1.0F : 1.0F);
      x = folded_x;
    }
    const auto cell = [](float a) {
      const float c = (a * 0.5F + 0.5F) * directions;
      return c > 0.0F ? static_cast<std::uint32_t>(c < directions - 1.0F ? c : directions - 1.0F)
                      : 0U;
    };
    // Interleaved: bits of x and y take turns.
    std::uint32_t code = 0;
    for (unsigned bit = 0; bit < 5; ++bit)
      code |= (cell(x) >> bit & 1U) << (2 * bit + 1) | (cell(y) >> bit & 1U) << 2 * bit;
    return code;
  }

  __device__ static std::uint32_t of(const BoundedRay& ray, const Aabb& box) {
    return tracing::cell_code(ray.origin, box, origin_bits) << 10U | direction_code(ray.direction);
  }
};

__global__ void origin_and_direction_kernel(TraceArgs args, std::uint32_t* keys) {
  tracing::write_ray_key(args, keys, [](const BoundedRay& ray, const Aabb& box) {
    return OriginAndDirection::of(ray, box);
  });
}

}  // namespace

void trace_sorted(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  tracing::trace_sorted(stream, args, scratch, KERNEL(origin_and_direction_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
