// What the kernels of the cloth scene go by: what follows from the mesh and the controls before
// anything moves, and the rules of a frame.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/steps/cloth.h"
#include "scenes/controls.h"
#include "scenes/files/mesh.h"

namespace warpview {

enum class Pinned { none, two, four };  // corners: the choices of the control

struct ClothSetting {
  ClothShape shape;
  float length = 1.0F;  // of a side of the cloth: the unit of gravity
  float spacing = 0.0F;
  Vec3 corner;  // of the first point
  float floor = 0.0F;
  Aabb bounds;  // of the mesh and the cloth, before it falls
};
// A cloth that lies in the air above the mesh, and is wider. Error when coordinates of the mesh
// would not tell its points apart.
ClothSetting cloth_setting_of(const Mesh& mesh, const Controls& asked);

float thickness_of(const ClothSetting& setting, const Controls& controls);
std::uint32_t iterations_of(const Controls& controls);

// Every point at the beginning.
std::vector<Vec4> cloth_at_rest(const ClothSetting& setting, const Controls& controls);

// A frame of so many seconds, after one whose iterations took `last_dt` each; 0: there was none.
ClothRules cloth_rules_of(const ClothSetting& setting, const Controls& controls, double seconds,
                          double last_dt);
// What its points do as spheres.
ParticleRules sphere_rules_of(const ClothSetting& setting, const Controls& controls,
                              double seconds);

}  // namespace warpview
