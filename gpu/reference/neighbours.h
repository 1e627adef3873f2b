// Neighbour search, sequentially on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/steps/neighbours.h"

namespace warpview::reference {

// The neighbours of each particle, by particle: gpu/steps/neighbours.h.
struct Neighbours {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> marks;
};

// Uses a grid: particles are sorted by cell, and each searches the cells around it.
Neighbours neighbours(std::span<const Vec4> positions, float radius);
// Ascending.
std::vector<NeighbourPair> neighbour_pairs(std::span<const Vec4> positions, float radius);

// Compares all pairs: n * n / 2 steps. Ascending.
std::vector<NeighbourPair> neighbour_pairs_of_all(std::span<const Vec4> positions, float radius);

}  // namespace warpview::reference
