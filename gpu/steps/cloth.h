// Steps on a cloth: points of mass 1 in a lattice, held together by springs.
//
// A spring is a length to be kept, not a force. An iteration moves each point on by its velocity
// (Verlet), and then towards the weighted mean of its springs' corrections. Every point reads the
// state of all points before the iteration, and writes another array (Jacobi), so that no order
// matters. Many short iterations, each with its share of the frame's time, make the cloth stiffer
// than as many corrections of one long step.
//
// Springs: X. Provot, "Deformation Constraints in a Mass-Spring Model to Describe Rigid Cloth
// Behavior", Graphics Interface 1995. Verlet: T. Jakobsen, "Advanced Character Physics", Game
// Developers Conference 2001. Short steps: M. Macklin et al., "Small Steps in Physics Simulation",
// Symposium on Computer Animation 2019.
#pragma once

#include <cstdint>

#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/contact.h"
#include "gpu/steps/particles.h"

namespace warpview {

// Row by row: point i is in row i / side and in column i % side.
struct ClothShape {
  std::uint32_t side = 0;

  HOST_DEVICE constexpr std::uint32_t points() const { return side * side; }
  constexpr std::uint32_t squares() const { return side > 0 ? (side - 1) * (side - 1) : 0; }
  constexpr std::uint32_t triangles() const { return 2 * squares(); }
};

// Parameters of an iteration; in device memory, so that a captured graph reads the new values.
struct ClothRules {
  Vec3 gravity;
  float dt;       // of an iteration
  float longer;   // dt over that of the frame before
  float onward;   // share of a displacement that damping keeps
  float spacing;  // between neighbours in a row, at rest
  // Weights of the three kinds of springs in a point's mean.
  float structural;  // to the next in row and column
  float shear;       // across a square
  float bend;        // to the next but one in row and column
  float thickness;   // the distance that points keep that are not neighbours
  float floor;       // no point is below this height
  float friction;    // share of its displacement along a surface that a point on it loses
};

// One of a point's twelve springs.
struct ClothSpring {
  int rows, columns;  // to its other end
  float rest;         // in spacings
};
inline constexpr std::uint32_t structural_springs = 4;
inline constexpr std::uint32_t shear_springs = 4;
inline constexpr std::uint32_t cloth_springs = 12;
// Structural springs first, then shear springs; after each even one comes its opposite.
HOST_DEVICE constexpr ClothSpring cloth_spring(std::uint32_t number) {
  constexpr float diagonal = 1.41421356F;
  constexpr ClothSpring springs[cloth_springs] = {
      {0, -1, 1.0F},      {0, 1, 1.0F},     {-1, 0, 1.0F},     {1, 0, 1.0F},
      {-1, -1, diagonal}, {1, 1, diagonal}, {-1, 1, diagonal}, {1, -1, diagonal},
      {0, -2, 2.0F},      {0, 2, 2.0F},     {-2, 0, 2.0F},     {2, 0, 2.0F}};
  return springs[number];
}
HOST_DEVICE inline float cloth_weight(const ClothRules& rules, std::uint32_t spring) {
  return spring < structural_springs                   ? rules.structural
         : spring < structural_springs + shear_springs ? rules.shear
                                                       : rules.bend;
}

// How many rows or columns a point's springs reach.
inline constexpr std::uint32_t cloth_reach = 2;

// Points are Vec4: the position, and in w the share of a correction that applies to it: 1, or 0 for
// pinned points.
HOST_DEVICE inline bool is_pinned(const Vec4& point) { return point.w == 0.0F; }

// Where a point would go if nothing held it.
HOST_DEVICE inline Vec3 cloth_onward(const ClothRules& rules, const Vec4& here, Vec3 before) {
  if (is_pinned(here)) return here.xyz;
  return here.xyz + (here.xyz - before) * rules.onward + rules.gravity * (rules.dt * rules.dt);
}
// The correction by a spring of this length at rest to one of its ends, where `way` leads to the
// other: all of the difference if the other is pinned, else half of it.
HOST_DEVICE inline Vec3 cloth_correction(Vec3 way, float rest, bool is_other_pinned) {
  constexpr float smallest_normal = 0x1p-126F;
  const float length2 = dot(way, way);
  if (!(length2 >= smallest_normal)) return {0.0F, 0.0F, 0.0F};
  // A GPU's single instruction, and a step of Newton's method: the last bits matter, as lengths are
  // compared that differ by little.
  float inverse = reciprocal_root(length2);
  inverse = inverse * (1.5F - 0.5F * length2 * inverse * inverse);
  return way * ((is_other_pinned ? 1.0F : 0.5F) * (1.0F - rest * inverse));
}

// The surface that a point lies on is found once in a frame, and is a plane for the iterations of
// the next: the normal, and in w the plane's offset along it. A normal of 0: it lies on none.
HOST_DEVICE inline bool is_on(const Vec4& plane) { return dot(plane.xyz, plane.xyz) > 0.0F; }
// Moves a point from `here` to `next`, and keeps it above its plane.
HOST_DEVICE inline Vec3 cloth_held(const ClothRules& rules, const Vec4& plane, Vec3 here,
                                   Vec3 next) {
  const float above = dot(plane.xyz, next) - plane.w;
  if (!is_on(plane) || above >= 0.0F) return next;
  const Vec3 on_plane = next - plane.xyz * above;
  const Vec3 way = on_plane - here;
  const Vec3 along = way - plane.xyz * dot(plane.xyz, way);
  return on_plane - along * rules.friction;
}

// Begins a frame: `start` is where the points are, and `before` becomes where they would have been
// if the iterations of the previous frame had been as long as this one's.
struct ClothBeginArgs {
  const ClothRules* rules = nullptr;
  std::uint32_t n = 0;
  const Vec4* here = nullptr;
  Vec4* before = nullptr;
  Vec4* start = nullptr;
};
HOST_DEVICE inline Vec3 cloth_before(const ClothRules& rules, Vec3 here, Vec3 before) {
  return here - (here - before) * rules.longer;
}

// Does this many iterations: from `here` and `before`, which is one iteration earlier, to the same
// state after the last of them, in other arrays.
struct ClothIterateArgs {
  static constexpr std::uint32_t most_iterations = 3;

  const ClothRules* rules = nullptr;
  ClothShape shape;
  std::uint32_t iterations = 1;  // 1 to most_iterations
  const Vec4* planes = nullptr;
  const Vec4* before = nullptr;
  const Vec4* here = nullptr;
  Vec4* last_before = nullptr;
  Vec4* last_here = nullptr;
};

// Once in a frame, when its iterations are done, the points are spheres for a while: they collide
// with each other, and with the mesh as particles do (gpu/steps/particles.h).

// spheres[i] is where point i is, and motions[i] its velocity, averaged over the frame, with its
// number. spheres[i].w stays.
struct ClothSpheresArgs {
  const ParticleRules* rules = nullptr;  // dt: the frame's
  std::uint32_t n = 0;
  const Vec4* start = nullptr;  // points at the beginning of the frame
  const Vec4* points = nullptr;
  Vec4* spheres = nullptr;
  Vec4* motions = nullptr;
};

// Points that are nearer to each other than the cloth's thickness, and not neighbours in the
// lattice, move apart: each by half of the missing distance, averaged over all of these with a
// larger weight for nearer ones. Spheres and motions are written by number.
struct ClothApartArgs {
  const ClothRules* rules = nullptr;
  const ParticleRules* sphere_rules = nullptr;
  ClothShape shape;
  Cells cells;  // over spheres and motions; the search radius is the thickness
  const Vec4* start = nullptr;
  const Vec4* points = nullptr;  // which are pinned?
  Vec4* spheres = nullptr;
  Vec4* motions = nullptr;
  std::uint32_t* touching = nullptr;  // the number of points that moved apart from another is added
};
// Springs already hold apart two neighbours in the lattice, and next neighbours but one.
HOST_DEVICE inline bool are_held_apart(const ClothShape& shape, std::uint32_t a, std::uint32_t b) {
  const int rows = static_cast<int>(a / shape.side) - static_cast<int>(b / shape.side);
  const int columns = static_cast<int>(a % shape.side) - static_cast<int>(b % shape.side);
  return rows >= -2 && rows <= 2 && columns >= -2 && columns <= 2;
}
// Sums over the points that are too near; `way` leads to one of them.
struct ClothPush {
  Vec3 ways{0.0F, 0.0F, 0.0F};
  float weight = 0.0F;
};
HOST_DEVICE inline void add_too_near(ClothPush& push, float thickness, Vec3 way) {
  const float distance = length(way);
  const float missing = thickness - distance;
  if (!(missing > 0.0F) || !(distance > 0.0F)) return;
  push.ways = push.ways - way * (0.5F * missing * missing / distance);
  push.weight += missing;
}
HOST_DEVICE inline Vec3 way_apart(const ClothPush& push) {
  return push.weight > 0.0F ? push.ways * (1.0F / push.weight) : Vec3{0.0F, 0.0F, 0.0F};
}

// Turns the spheres back into points. `before` of a point that touched something becomes where it
// would have been an iteration before, by its velocity. The direction in which the mesh pushed a
// point is the normal of the plane that it lies on. A point that touches the mesh but was not
// pushed keeps the normal of the last frame. The floor stops points.
struct ClothSettleArgs {
  const ClothRules* rules = nullptr;
  std::uint32_t n = 0;
  const Vec4* unpushed = nullptr;  // spheres before the mesh contacts; null: there were none
  const Vec4* spheres = nullptr;   // w: less than 0 where they touch the mesh
  const Vec4* motions = nullptr;
  Vec4* points = nullptr;
  Vec4* before = nullptr;
  Vec4* planes = nullptr;
};
HOST_DEVICE inline void settle_point(const ClothRules& rules, Vec3 sphere, Vec3 velocity,
                                     bool touches_mesh, Vec4& point, Vec3& before) {
  if (is_pinned(point)) return;
  const Vec3 off = sphere - point.xyz;
  const bool touches = touches_mesh || dot(off, off) > 0.0F;
  const bool is_below = sphere.y < rules.floor;
  point.xyz = {sphere.x, is_below ? rules.floor : sphere.y, sphere.z};
  if (is_below)
    before = point.xyz;
  else if (touches)
    before = point.xyz - velocity * rules.dt;
}
// The plane through a point that the mesh pushed by `push`, or that touches the mesh. A push that
// is small relative to the cloth's thickness has no reliable direction.
HOST_DEVICE inline Vec4 plane_under(const ClothRules& rules, Vec3 point, Vec3 push, bool touches,
                                    const Vec4& last) {
  const float pushed = length(push);
  constexpr float least = 1e-3F;
  const Vec3 normal = !touches                           ? Vec3{0.0F, 0.0F, 0.0F}
                      : pushed > least * rules.thickness ? push * (1.0F / pushed)
                                                         : last.xyz;
  return {normal, dot(normal, point)};
}

// What a scene reports of its cloth.
struct ClothFacts {
  float longest;           // structural spring, as length over length at rest
  std::uint32_t touching;  // points that moved apart from another
};

// Writes vertices, with normals across the lattice's lines, from the points; texture coordinates
// are the places in the lattice. Writes all facts except `touching`.
struct ClothVerticesArgs {
  const ClothRules* rules = nullptr;
  ClothShape shape;
  const Vec4* points = nullptr;
  Vertex* vertices = nullptr;
  ClothFacts* facts = nullptr;  // or null
};
// `right` and `down` lead from the previous point to the next one, in its row and column.
HOST_DEVICE inline Vec3 cloth_normal(Vec3 right, Vec3 down) {
  const Vec3 normal = cross(down, right);
  const float size = length(normal);
  return size > 0.0F ? normal * (1.0F / size) : Vec3{0.0F, 1.0F, 0.0F};
}

}  // namespace warpview
