// What an optimiser makes of a tree (gpu/primitives/optimise/optimise.h), sequentially.
#pragma once

#include <cstdint>

#include "gpu/reference/reference.h"

namespace warpview::reference {

// The tree after `rounds` of the optimiser with these traits, link by link and with its boxes.
Tree optimised(unsigned optimise_traits, Tree tree, std::uint32_t rounds);

// The sum of half_area() over all nodes.
double area_of_nodes(const Tree& tree);

}  // namespace warpview::reference
