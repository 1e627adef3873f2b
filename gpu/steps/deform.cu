// Moves the vertices of a mesh: gpu/steps/deform.h says how.
//
// A deformation maps x to f(x). Normals go through the inverse transpose of its Jacobian J. All of
// these have a Jacobian of the form M (I + u a^T), where a is the unit vector of the axis along
// which the deformation varies. By Sherman and Morrison the inverse transpose is, up to a factor,
//
//     M^-T ((1 + u.a) I - a u^T)
//
// which needs no division where the mesh is compressed to nothing, and keeps the normal on the side
// from which the triangle is seen where it folds over.
#include "gpu/steps/deform.h"

#include <cmath>

#include "gpu/runtime/kernel.h"
#include "gpu/steps/random.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned deform_block_size = 256;

__device__ float component(Vec3 v, std::uint32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
__device__ Vec3 along(std::uint32_t axis, float length) {
  return {axis == 0 ? length : 0.0F, axis == 1 ? length : 0.0F, axis == 2 ? length : 0.0F};
}
__device__ Vec3 across(std::uint32_t axis, Vec3 v) { return v - along(axis, component(v, axis)); }

// Around an axis, by an angle given by its sine and cosine.
__device__ Vec3 turned(std::uint32_t axis, Vec3 v, float s, float c) {
  return v * c + cross(along(axis, 1.0F), v) * s + along(axis, component(v, axis) * (1.0F - c));
}

// x + A sin(k a.x - phase) d: J = I + g d a^T with g = A k cos(k a.x - phase).
__device__ void wave(const Deformation& how, Vec3& x, Vec3& normal) {
  const float angle = how.wave_number * component(x - how.centre, how.axis) - how.phase;
  const float slope = how.amplitude * how.wave_number * cosf(angle);
  const float determinant = how.axis == how.direction ? 1.0F + slope : 1.0F;
  x = x + along(how.direction, how.amplitude * sinf(angle));
  normal = normal * determinant - along(how.axis, slope * component(normal, how.direction));
}

// R(A a.x) x, R a rotation around a: J = R (I + A (a x x) a^T), and (a x x).a = 0.
__device__ void twist(const Deformation& how, Vec3& x, Vec3& normal) {
  const Vec3 from_centre = x - how.centre;
  const float angle = how.amplitude * component(from_centre, how.axis);
  const float s = sinf(angle);
  const float c = cosf(angle);
  const Vec3 way = cross(along(how.axis, 1.0F), from_centre) * how.amplitude;
  normal = turned(how.axis, normal - along(how.axis, dot(way, normal)), s, c);
  x = how.centre + turned(how.axis, from_centre, s, c);
}

// Distances from the axis grow by the factor f(s) = 1 + A (1 + cos(pi s / l)) / 2 at s on it, with
// l half the length of the mesh: J = M (I + (f'/f) p a^T), with p the part across the axis, and M
// the growth by f across it.
__device__ void bulge(const Deformation& how, Vec3& x, Vec3& normal) {
  constexpr float pi = 3.14159265F;
  const Vec3 from_centre = x - how.centre;
  const float s = component(from_centre, how.axis) / how.half_length;
  const bool is_beyond = s < -1.0F || s > 1.0F;
  const float factor = 1.0F + (is_beyond ? 0.0F : how.amplitude * 0.5F * (1.0F + cosf(pi * s)));
  const float slope =
      is_beyond ? 0.0F : -how.amplitude * 0.5F * pi / how.half_length * sinf(pi * s);
  const Vec3 p = across(how.axis, from_centre);
  const Vec3 unfolded = normal * factor - along(how.axis, slope * dot(p, normal));
  normal = along(how.axis, factor * component(unfolded, how.axis)) + across(how.axis, unfolded);
  x = how.centre + along(how.axis, component(from_centre, how.axis)) + p * factor;
}

// A vector no longer than `none` has no direction beyond rounding.
__device__ Vec3 unit(Vec3 v, float none = 0.0F) {
  const float length = sqrtf(dot(v, v));
  return length > none ? v * (1.0F / length) : Vec3{0.0F, 1.0F, 0.0F};
}
__device__ Vec3 random_vector(std::uint32_t item, std::uint32_t first) {
  return {random_signed(item, first, 0), random_signed(item, first + 1, 0),
          random_signed(item, first + 2, 0)};
}

// A triangle moves as a whole: its centre along the ray from the mesh's centre, the rest around it
// (by O. Rodrigues' formula).
__device__ void explode(const Deformation& how, const Vertex* corners, std::uint32_t triangle,
                        Vec3& x, Vec3& normal) {
  const Vec3 centre =
      (corners[0].position + corners[1].position + corners[2].position) * (1.0F / 3.0F);
  const float share = 0.65F + 0.35F * random_signed(triangle, 0, 0);
  const Vec3 away = unit(centre - how.centre, 1e-5F * how.half_length) * (how.amplitude * share);
  const Vec3 axis = unit(random_vector(triangle, 1));
  const float angle = how.phase * random_signed(triangle, 4, 0);
  const float s = sinf(angle);
  const float c = cosf(angle);
  const auto turned_by = [&](Vec3 v) {
    return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1.0F - c));
  };
  x = centre + away + turned_by(x - centre);
  normal = turned_by(normal);
}

__device__ Vec3 times(const Vec3 (&rows)[3], Vec3 v) {
  return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

__global__ void deform_kernel(DeformArgs args) {
  const std::uint32_t v = global_thread();
  if (v >= args.n || v >= *args.count) return;
  const Deformation& how = *args.deformation;
  Vertex vertex = args.rest[v];
  Vec3 normal = vertex.normal;
  switch (how.kind) {
    case Deformer::wave:
      wave(how, vertex.position, normal);
      break;
    case Deformer::twist:
      twist(how, vertex.position, normal);
      break;
    case Deformer::bulge:
      bulge(how, vertex.position, normal);
      break;
    case Deformer::turn:
      vertex.position = how.centre + times(how.rows, vertex.position - how.centre);
      normal = times(how.rows, normal);
      break;
    case Deformer::explode:
      explode(how, args.rest + (v - v % 3), v / 3, vertex.position, normal);
      break;
  }
  vertex.position = vertex.position + how.moved;
  const float length = sqrtf(dot(normal, normal));
  if (length > 0.0F) vertex.normal = normal * (1.0F / length);
  args.vertices[v] = vertex;
}

}  // namespace

void deform(Stream& stream, const DeformArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(deform_kernel), one_thread_each(args.n, deform_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
