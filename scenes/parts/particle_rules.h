// What the kernels of the particle scene go by: what follows from the mesh and the controls before
// anything moves, and the rules of a frame.
#pragma once

#include <cstdint>

#include "gpu/steps/deform.h"
#include "gpu/steps/particles.h"
#include "scenes/controls.h"
#include "scenes/files/mesh.h"

namespace warpview {

enum class Physics { own, sample };  // the choices of the control

// Everything that follows from the count, the radius and the mesh, before anything moves.
struct ParticleSetting {
  bool is_sample = false;
  std::uint32_t n = 0;
  Aabb box;
  float half_side = 1.0F;  // of the box: the unit of speeds and of gravity
  float radius = 0.0F;
  double most_radius = 0.0;  // in half sides: all spheres have room
  float mesh_top = 0.0F;
  // The block of the first places.
  std::uint32_t side = 1;
  float spacing = 0.0F;
  Vec3 origin;
};
// Error when coordinates or areas of triangles would not hold spheres that small, or boxes that
// large.
ParticleSetting setting_of(const Mesh& mesh, const Controls& asked);

bool has_obstacle(const ParticleSetting& setting, const Controls& controls);
// Does the mesh swing around the middle of its foot?
bool rocks(const ParticleSetting& setting, const Controls& controls);
// The mesh after so many seconds of swinging.
Deformation swing_pose(const ParticleSetting& setting, double swing_time);

// Substeps of a frame of `seconds`: as many as the controls say, or such that
// layers * g * dt^2 stays under a 100th of the radius; 64 at most.
std::uint32_t substeps_of(const ParticleSetting& setting, const Controls& controls, double seconds);

// A frame, as rules ask for it.
struct ParticleFrame {
  std::uint32_t substeps = 1;
  double seconds = 0.0;     // that it takes; 0: a sixtieth, in which the mesh stands still
  double time = 0.0;        // before it, since the beginning
  double swing_time = 0.0;  // of it, while the mesh swung
};
ParticleRules rules_of(const ParticleSetting& setting, const Controls& controls,
                       const ParticleFrame& frame);

}  // namespace warpview
