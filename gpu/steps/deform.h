// Moves the vertices of a mesh.
#pragma once

#include <cstdint>

#include "gpu/runtime/vertex.h"

namespace warpview {

enum class Deformer : std::uint32_t {
  wave,    // a vertex at s on the axis, from the centre, moves by amplitude * sin(wave_number * s -
           // phase) along `direction`: growing phase moves the wave forward
  twist,   // turns around the axis through the centre, by `amplitude` radians per unit along it
  bulge,   // grows away from the axis through the centre, by the factor 1 + amplitude * a hill over
           // the length of the mesh
  turn,    // x becomes rows (x - centre) + centre
  explode  // each triangle flies away from the centre, by up to `amplitude`, and tumbles by up to
           // `phase` radians. Triangles must not share vertices, and the three of a triangle must
           // be consecutive
};

// Lengths are in units of the mesh, angles in radians.
struct Deformation {
  Deformer kind = Deformer::wave;
  std::uint32_t axis = 0;       // 0 x, 1 y, 2 z
  std::uint32_t direction = 1;  // wave: the axis of displacement
  float amplitude = 0.0F;
  float wave_number = 1.0F;  // wave: radians per unit along the axis
  float phase = 0.0F;        // wave, explode
  Vec3 centre{0.0F, 0.0F, 0.0F};
  float half_length = 1.0F;  // bulge, explode: half the length of the mesh along the axis
  Vec3 rows[3] = {{1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}};  // turn: a rotation
  Vec3 moved{0.0F, 0.0F, 0.0F};  // added to every position in the end
};

// Positions move, and normals with them; they keep length 1.
struct DeformArgs {
  const Vertex* rest = nullptr;
  const std::uint32_t* count = nullptr;  // vertices, device memory
  std::uint32_t n = 0;
  const Deformation* deformation = nullptr;  // device memory, so that a graph reads the new value
  Vertex* vertices = nullptr;
};

}  // namespace warpview
