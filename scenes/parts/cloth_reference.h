// A cloth sequentially on the host: what the cloth scene's kernels are held against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/steps/cloth.h"
#include "scenes/parts/tree.h"

namespace warpview {

// Two iterations, the last one first.
struct ClothState {
  std::vector<Vec4> here, before;
};

// A frame of so many iterations.
ClothState cloth_iterated(ClothState state, const std::vector<Vec4>& planes,
                          const ClothShape& shape, const ClothRules& rules,
                          std::uint32_t iterations);

// Points that are too near go apart, by looking at all of them in cells. `spheres` are by number.
std::vector<Vec3> cloth_apart(const std::vector<Vec3>& spheres, const std::vector<Vec4>& points,
                              const ClothShape& shape, const ClothRules& rules);

std::vector<Vertex> cloth_vertices(const std::vector<Vec4>& points, const ClothShape& shape);

// Corners of the triangles, three by three: two in each square of the lattice.
std::vector<std::uint32_t> cloth_indices(const ClothShape& shape);

// The longest structural spring, by its length at rest.
float longest_spring(const std::vector<Vec4>& points, const ClothShape& shape, float spacing);

// Where two arrays of places first differ by more than `most`, in words; empty where they do not.
std::string differ(const char* what, const std::vector<Vec3>& found,
                   const std::vector<Vec3>& expected, float most);

}  // namespace warpview
