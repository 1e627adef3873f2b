// Contacts: spheres against spheres, and spheres against triangles. Plain functions, so that
// kernels and the sequential reference share the formulas, and nothing else.
//
// Compilers for GPUs contract a * b + c to one rounding, others round twice: pushes differ in their
// last bits between backends. Which contact with a mesh counts must not differ:
// gpu/steps/particles.cu and gpu/steps/mesh_contacts.cu are compiled without contraction.
#pragma once

#include "gpu/runtime/vec.h"

namespace warpview {

// How spheres push each other. Each coefficient changes velocities in proportion to a step, mass is
// 1: `spring` per unit of overlap, `damping` by a share of the relative velocity, `shear` by a
// share of its tangential part, `attraction` per unit of distance. S. Green, Particle Simulation
// using CUDA, NVIDIA 2010; its sample `particles`.
struct ContactForces {
  float spring = 0.5F;
  float damping = 0.02F;
  float shear = 0.1F;
  float attraction = 0.0F;
};

HOST_DEVICE inline float square_root(float x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return sqrtf(x);
#else
  return __builtin_sqrtf(x);
#endif
}
HOST_DEVICE inline float length(Vec3 v) { return square_root(dot(v, v)); }

// 1 / sqrt(x), for a number that is not subnormal: one instruction on a GPU.
HOST_DEVICE inline float reciprocal_root(float x) {
#if defined(__CUDA_ARCH__)
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#elif defined(__HIP_DEVICE_COMPILE__)
  return rsqrtf(x);
#else
  return 1.0F / __builtin_sqrtf(x);
#endif
}

// The change of a sphere's velocity by all spheres that touch it. One of them, of the same radius,
// to which `way` leads, shorter than two radii, and whose velocity less its own is `relative`,
// contributes, with n the unit vector along `way`,
//
//   - spring (2 radius - |way|) n + damping relative + shear (relative - (relative.n) n)
//     + attraction way.
//
// Rewritten by its two vectors, that is, with d for |way|,
//
//   (damping + shear) relative + way (attraction + spring - (2 radius spring + shear a) / d),
//   a = (relative.way) / d,
//
// The first part is the same share of all relative velocities: it is factored out of the sum.
// Spheres at the same place do not push each other.
struct ContactShares {
  float relative;  // damping + shear
  float way;       // attraction + spring
  float normal;    // 2 radius spring
  float along;     // shear
};
HOST_DEVICE inline ContactShares shares_of(const ContactForces& forces, float radius) {
  return {forces.damping + forces.shear, forces.attraction + forces.spring,
          2.0F * radius * forces.spring, forces.shear};
}

struct PushSum {
  Vec3 relative{0.0F, 0.0F, 0.0F};
  Vec3 along_ways{0.0F, 0.0F, 0.0F};
};
// `distance2` is the square of the way's length.
HOST_DEVICE inline void add_contact(PushSum& sum, const ContactShares& shares, Vec3 way,
                                    float distance2, Vec3 relative) {
  constexpr float smallest_normal = 0x1p-126F;
  const float inverse = distance2 >= smallest_normal ? reciprocal_root(distance2) : 0.0F;
  const float along = dot(relative, way) * inverse;
  sum.relative = sum.relative + relative;
  sum.along_ways =
      sum.along_ways + way * (shares.way - inverse * (shares.normal + shares.along * along));
}
HOST_DEVICE inline Vec3 push_of(const PushSum& sum, const ContactShares& shares) {
  return sum.relative * shares.relative + sum.along_ways;
}

// --- Triangles

// C. Ericson, Real-Time Collision Detection, 2005, 5.1.5: the region of the triangle's plane in
// which the point's projection lies decides.
HOST_DEVICE inline Vec3 closest_on_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ap = p - a;
  const float d1 = dot(ab, ap);
  const float d2 = dot(ac, ap);
  if (d1 <= 0.0F && d2 <= 0.0F) return a;
  const Vec3 bp = p - b;
  const float d3 = dot(ab, bp);
  const float d4 = dot(ac, bp);
  if (d3 >= 0.0F && d4 <= d3) return b;
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0F && d1 >= 0.0F && d3 <= 0.0F) return a + ab * (d1 / (d1 - d3));
  const Vec3 cp = p - c;
  const float d5 = dot(ab, cp);
  const float d6 = dot(ac, cp);
  if (d6 >= 0.0F && d5 <= d6) return c;
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0F && d2 >= 0.0F && d6 <= 0.0F) return a + ac * (d2 / (d2 - d6));
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0.0F && d4 - d3 >= 0.0F && d5 - d6 >= 0.0F)
    return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const float scale = 1.0F / (va + vb + vc);
  return a + ab * (vb * scale) + ac * (vc * scale);
}

// A sphere that moves from `from` to `to` in a step.
struct MovingSphere {
  Vec3 from, to;
  float radius;
};

// How a sphere touches a surface at the end of a step.
struct SurfaceContact {
  float depth = 0.0F;  // penetration depth; 0: it does not touch
  Vec3 normal{};       // out of the surface, to the side that the sphere came from
  Vec3 face{};         // the triangle's own normal, to the same side
  float share = 1.0F;  // share of the way after which the centre came through; 1: it did not
};

// The contact with one triangle. The side is that of `from`, so that a sphere whose centre has
// passed through the triangle is pushed back to where it came from: its depth then exceeds its
// radius.
HOST_DEVICE inline SurfaceContact meet_triangle(const MovingSphere& sphere, Vec3 a, Vec3 b,
                                                Vec3 c) {
  SurfaceContact contact;
  const Vec3 area = cross(b - a, c - a);
  const float twice_area = length(area);
  if (!(twice_area > 0.0F)) return contact;  // a triangle without area stops nothing
  Vec3 face = area * (1.0F / twice_area);
  const float before = dot(sphere.from - a, face);
  if (before < 0.0F) face = face * -1.0F;
  const float height_before = before < 0.0F ? -before : before;
  const float height = dot(sphere.to - a, face);

  if (height < 0.0F) {
    // The centre is behind the plane: did it come through the triangle?
    const float fall = height_before - height;
    const Vec3 through = sphere.from + (sphere.to - sphere.from) * (height_before / fall);
    const Vec3 nearest = closest_on_triangle(through, a, b, c);
    const Vec3 off = through - nearest;
    constexpr float slack = 1e-3F;  // of the radius: rounding lets no sphere pass between triangles
    if (dot(off, off) <= slack * slack * sphere.radius * sphere.radius) {
      contact.depth = sphere.radius - height;
      contact.normal = face;
      contact.face = face;
      contact.share = height_before / fall;
      return contact;
    }
  }
  const Vec3 nearest = closest_on_triangle(sphere.to, a, b, c);
  const Vec3 out = sphere.to - nearest;
  const float distance = length(out);
  if (!(distance < sphere.radius)) return contact;
  contact.depth = sphere.radius - distance;
  contact.normal = distance > 0.0F ? out * (1.0F / distance) : face;
  contact.face = dot(face, contact.normal) < 0.0F ? face * -1.0F : face;
  return contact;
}

// Orders two contacts: where the centre came through first, then the deeper one; of equal ones that
// of the triangle with the smaller number.
HOST_DEVICE inline bool is_deeper(const SurfaceContact& a, std::uint32_t triangle_a,
                                  const SurfaceContact& b, std::uint32_t triangle_b) {
  if (a.share != b.share) return a.share < b.share;
  return a.depth > b.depth || (a.depth == b.depth && triangle_a < triangle_b);
}

// Ends the way of a sphere whose centre came through the surface: half a radius before the place
// where it did. What lies behind that place has not acted on it.
HOST_DEVICE inline void stop_before(SurfaceContact& contact, MovingSphere& sphere) {
  if (!(contact.share < 1.0F)) return;
  contact.depth = 0.5F * sphere.radius;
  sphere.to =
      sphere.from + (sphere.to - sphere.from) * contact.share + contact.normal * contact.depth;
}

// Does a contact belong to another surface than the deepest, by its own normal and by its
// triangle's? On a surface that is cut into small triangles the neighbours of the deepest are
// touched too, at their edges; they are the same surface.
HOST_DEVICE inline bool is_another(const SurfaceContact& deepest, const SurfaceContact& other) {
  constexpr float cosine = 0.8660254F;  // of 30 degrees
  return dot(deepest.normal, other.normal) < cosine && dot(deepest.normal, other.face) < cosine;
}

}  // namespace warpview
