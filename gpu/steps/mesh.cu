// Steps on a mesh: gpu/steps/mesh.h says what each of them does.
//
// A kernel whose count lies on the device is launched for the upper bound; the threads beyond the
// count have nothing to do.
#include "gpu/steps/mesh.h"

#include <algorithm>
#include <bit>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned mesh_block_size = 256;

// --- drop

// Infinities and NaNs are the floats whose exponent bits are all set. The bits are tested because a
// compiler may assume away what isnan tests.
__device__ bool is_finite(float x) {
  constexpr std::uint32_t exponent = 0x7f800000U;
  return (std::bit_cast<std::uint32_t>(x) & exponent) != exponent;
}
__device__ bool all_finite(Vec3 v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }

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
  keep[t] = all_finite(corner[0].position) && all_finite(corner[1].position) &&
                    all_finite(corner[2].position)
                ? 1
                : 0;
}

// One thread per corner. kept_until[t] is how many of the triangles 0 ... t are kept: triangle t is
// kept if the number grows there, and the number before is its new place.
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
  if (args.colours) args.kept_colours[3 * place + c % 3] = args.colours[c];
  if (c % 3 == 0) args.kept_material[place] = args.material[t];
}

// --- number_corners

__global__ void number_corners_kernel(NumberCornersArgs args) {
  const std::uint32_t c = global_thread();
  if (c == 0) args.counts->vertices = args.counts->corners;
  if (c < args.n && c < args.counts->corners) args.indices[c] = c;
}

// --- triangle_boxes

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

}  // namespace

void drop(Stream& stream, const DropArgs& args, Scratch& scratch) {
  auto* kept_until = scratch.take<std::uint32_t>(args.n, "kept_until");
  if (!scratch.measuring())
    launch(stream, KERNEL(drop_flag_kernel), one_thread_each(args.n, mesh_block_size), args.corners,
           args.n, kept_until);
  args.scan(stream, {.in = kept_until, .out = kept_until, .n = args.n, .inclusive = true}, scratch);
  if (scratch.measuring()) return;
  // At least one thread: the counts are written for an empty mesh too.
  launch(stream, KERNEL(drop_compact_kernel),
         one_thread_each(std::max(3 * args.n, 1U), mesh_block_size), args, kept_until);
}

void number_corners(Stream& stream, const NumberCornersArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  // At least one thread, as above.
  launch(stream, KERNEL(number_corners_kernel),
         one_thread_each(std::max(args.n, 1U), mesh_block_size), args);
}

void triangle_boxes(Stream& stream, const TriangleBoxArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(triangle_boxes_kernel), one_thread_each(args.n, mesh_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
