// Particles sequentially on the host: what the particle scene's kernels are held against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/steps/particles.h"
#include "scenes/parts/tree.h"

namespace warpview {

// By the particles' numbers.
struct ParticleState {
  std::vector<Vec3> places;  // NaN: not born
  std::vector<Vec3> velocities;
  std::string difference{};  // a number is missing or there twice; empty: none
};

// From the order of places, where motions know the numbers.
ParticleState by_number(const std::vector<Vec4>& positions, const std::vector<Vec4>& motions);

// What the mesh does to one particle that came `from` there.
void collide_with_mesh(const Tree::Snapshot& tree, const ParticleRules& rules, Vec3 from,
                       Vec3& place, Vec3& velocity);

// One substep, the first of its frame, from the state `s`. `tree` is the mesh that the particles
// collide with, null where there is none.
ParticleState particle_step(ParticleState s, const ParticleRules& rules,
                            const Tree::Snapshot* tree);

// Where the device's state after a substep first differs from particle_step()'s by more than what
// another order of adding, and another rounding, leave; empty where it does not.
std::string check_particle_step(const ParticleState& before, const ParticleState& after,
                                const ParticleRules& rules, const Tree::Snapshot* tree);

}  // namespace warpview
