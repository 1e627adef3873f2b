// A house of rooms, for ray tracers: a mesh that is seen from within.
#pragma once

#include <cstdint>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

inline constexpr std::uint64_t usual_rooms_triangles = 1'000'000;
// What a house of two rooms takes.
inline constexpr std::uint64_t least_rooms_triangles = 10'000;

// Two floors of up to 6 x 6 rooms of several sizes. Doors of a row of rooms are in line, so that
// one sees through many rooms. Furniture of boxes stands beside curved surfaces, whose triangles
// are thousands of times smaller than those of the walls. Units are metres, y is up.
//
// A closed shell is around the house: a ray that begins in a room hits something. Lamps and window
// panes are emissive. Mesh::first_view is in one of the rooms.
//
// From 600 000 triangles on there are 72 rooms, below that fewer. At most `triangles` triangles,
// and 3 % less at most: curved surfaces get as many as are left. std::invalid_argument below the
// least.
Mesh make_rooms(std::uint64_t triangles, std::uint64_t seed);
// Reports, and may be cancelled, piece by piece.
Mesh make_rooms(std::uint64_t triangles, std::uint64_t seed, LoadControl& control);

}  // namespace warpview
