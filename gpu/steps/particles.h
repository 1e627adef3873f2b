// Steps on particles: spheres of one radius and of mass 1.
//
// A particle is two 16-byte words that travel together: its place (Vec4::w: how far it may move
// before it must search the mesh again; less than 0: it touched the mesh, or the distance is
// unknown), and its velocity with its number (Vec4::w, as bits). Both arrays are kept in the order
// of the grid's cells, so that neighbours in space are neighbours in memory. A particle that is not
// born yet has a place of NaN, is in no cell, and takes part in nothing.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/contact.h"

namespace warpview {

HOST_DEVICE inline std::uint32_t number_of(const Vec4& motion) {
  return std::bit_cast<std::uint32_t>(motion.w);
}
HOST_DEVICE inline Vec4 motion_of(Vec3 velocity, std::uint32_t number) {
  return {velocity, std::bit_cast<float>(number)};
}
HOST_DEVICE inline bool is_born(const Vec4& position) { return position.xyz.x == position.xyz.x; }

// Where particles come from.
enum class Emitter : std::uint32_t {
  block,     // all at once, as a lattice
  fountain,  // layer by layer from a nozzle, upwards
  rain       // layer by layer from the ceiling
};

// Parameters of a substep; in device memory, so that a captured graph reads the new values.
struct ParticleRules {
  Aabb box;  // the box that they stay in
  float radius;
  float dt;  // of a substep
  Vec3 gravity;
  float keeps;        // share of the velocity that a substep keeps, the sample's global damping
  float restitution;  // of the walls
  ContactForces forces;

  // Emission: layers of `side` x `side` places, `layer_gap` seconds apart, with one particle per
  // place.
  std::uint32_t emitter;
  std::uint32_t side;
  float layer_gap;
  float spacing;  // between places
  Vec3 origin;    // of the first place
  Vec3 throw_velocity;
  float jitter;  // of places, in radii
  std::uint32_t seed;
  double time;  // since the beginning, before the first substep of this frame

  // The mesh's motion since the last frame, done before the first substep: x became turn (x -
  // pivot) + pivot.
  Vec3 pivot;
  Vec3 turn[3];  // rows of a rotation
  Vec3 spin;     // its angular velocity, radians per second
};

// The particles that exist before the first step, in the order of their numbers.
struct EmitArgs {
  const ParticleRules* rules = nullptr;
  std::uint32_t n = 0;
  Vec4* positions = nullptr;
  Vec4* motions = nullptr;
};

// Moves each particle by a substep: gravity, damping, and the walls, which it never leaves.
// Particles whose layer is due are born. `substep` counts from 0 within the frame.
struct IntegrateArgs {
  const ParticleRules* rules = nullptr;
  std::uint32_t substep = 0;
  std::uint32_t n = 0;
  const Vec4* positions = nullptr;
  Vec4* moved = nullptr;
  Vec4* motions = nullptr;  // in place
  bool has_mesh = false;    // do mesh contacts follow? Otherwise the distance to the mesh is
                            // unknown
};

// What a scene reports of its particles: sums over those that are born.
struct ParticleFacts {
  double kinetic_energy;
  double momentum[3];
  double momentum_scale;  // sum of |m v|
  double spring_energy;   // of the overlaps between particles
  std::uint64_t touches;  // overlapping neighbours per particle, summed over all
  std::uint32_t born;
  std::uint32_t cells;    // cells with a particle in them, as far as the kind of grid tells cells
                          // apart
  float deepest;          // overlap of two particles
  std::uint32_t on_mesh;  // particles that touch it
};
static_assert(sizeof(ParticleFacts) == 72);

// Collides moved particles with the triangles of a fitted tree: the deepest contact of each, and
// the deepest of those with another surface (gpu/steps/contact.h). A particle whose depth exceeds
// half a radius is put back to half a radius, without its velocity into the surface; a particle
// whose centre came through is put before the place where it did.
struct MeshContactArgs {
  const ParticleRules* rules = nullptr;
  std::uint32_t substep = 0;
  std::uint32_t n = 0;
  const Vec4* positions = nullptr;       // before the substep
  Vec4* moved = nullptr;                 // in place
  Vec4* motions = nullptr;               // in place
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  ParticleFacts* facts = nullptr;  // on_mesh is added to; or null
};

// The effect of a mesh contact on a particle: the surface pushes as a sphere would, and no particle
// gets in deeper than half a radius.
HOST_DEVICE inline void meet_surface(const ParticleRules& rules, const SurfaceContact& contact,
                                     Vec3& position, Vec3& velocity) {
  const Vec3 surface = cross(rules.spin, position - rules.pivot);  // its velocity there
  const float most = 0.5F * rules.radius;
  if (contact.depth >= most) {
    position = position + contact.normal * (contact.depth - most);
    const float into = dot(surface - velocity, contact.normal);
    if (into > 0.0F) velocity = velocity + contact.normal * (into * (1.0F + rules.restitution));
  }
  const Vec3 relative = surface - velocity;
  const Vec3 tangential = relative - contact.normal * dot(relative, contact.normal);
  const float depth = contact.depth < most ? contact.depth : most;
  velocity = velocity + contact.normal * (rules.forces.spring * depth) +
             relative * rules.forces.damping + tangential * rules.forces.shear;
}

// No particle is born outside of the box or pushed out of it.
HOST_DEVICE inline Vec3 inside_box(const ParticleRules& rules, Vec3 x) {
  const Vec3 r = {rules.radius, rules.radius, rules.radius};
  return min_of(max_of(x, rules.box.min + r), rules.box.max - r);
}

// Every particle is pushed by those that it overlaps with (gpu/steps/contact.h): its velocity after
// the substep follows from the velocities of all before it. The search radius is two radii.
struct ContactsArgs {
  const ParticleRules* rules = nullptr;
  Cells cells;                       // over the moved particles; the payload is their motions
  Vec4* motions = nullptr;           // by place: written; null: no particle is pushed
  std::uint32_t* touches = nullptr;  // by place: how many it overlaps with; null: not wanted
  ParticleFacts* facts = nullptr;    // spring_energy, touches and deepest are added to; or null
};

// Sorts the particles of each cell by their numbers, whatever order a counting grid left them in:
// then sums over neighbours give the same bits in every run. For the kinds `box` and `table`; the
// others that have ranges have a fixed order.
struct CanonicalArgs {
  Cells cells;
  const Vec4* positions = nullptr;   // by place: the grid's output
  const Vec4* motions = nullptr;     // by place
  Vec4* sorted_positions = nullptr;  // the grid's arrays: overwritten
  Vec4* sorted_motions = nullptr;
};

// A sphere as it is drawn. 16 bytes.
struct DrawnSphere {
  Vec3 centre;
  float value;  // 0 to 1: the value that is coloured
};

// The quantity that the colour of a sphere shows.
enum class ParticleColour : std::uint32_t { speed, cell, slot, neighbours };
// The most equal spheres that can touch one: a sphere with more neighbours is coloured 1, too.
inline constexpr float most_neighbours = 12.0F;

// Writes the spheres that are drawn, and sums what the scene reports of them.
struct WriteSpheresArgs {
  const ParticleRules* rules = nullptr;
  Cells cells;                             // over the particles as they are now
  const Vec4* motions = nullptr;           // by place
  const std::uint32_t* touches = nullptr;  // by place
  ParticleColour colour = ParticleColour::speed;
  float fastest = 1.0F;            // speed that is coloured 1
  DrawnSphere* out = nullptr;      // null: not wanted
  DrawCommand* command = nullptr;  // six vertices per sphere
  ParticleFacts* facts = nullptr;  // all except what contacts add
};

}  // namespace warpview
