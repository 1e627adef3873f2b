// Meshes that need no file. The same call gives the same mesh, bit by bit.
#pragma once

#include <cstdint>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// The default scene: a trefoil knot of radius 1 around the origin, whose cross-section is fluted
// and turns along the way. 73 728 triangles in three materials, smooth normals, texture
// coordinates around and along the tube.
Mesh make_knot();
Mesh make_knot(LoadControl& control);

// A cube of bars around a hollow with a window to each side: 72 squares, each cut into two
// triangles, in two materials: those outside, and those within. Its squares meet in threes, fives
// and sixes at some vertices, so it becomes a smooth surface by subdivision only.
Mesh make_lattice();
Mesh make_lattice(LoadControl& control);

// Exactly `triangles` triangles of a sphere of radius about 1 with soft bumps, for benchmarks: from
// one pole ring by ring to the other, where the last ring stays open if the number asks for it.
// About every vertex is shared by six triangles.
Mesh make_sphere(std::uint64_t triangles);
// Reports, and may be cancelled, ring by ring.
Mesh make_sphere(std::uint64_t triangles, LoadControl& control);

}  // namespace warpview
