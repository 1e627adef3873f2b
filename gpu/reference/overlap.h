// The end-point overlap of a tree (TreeOverlap in gpu/steps/tree.h), sequentially.
#pragma once

#include <span>

#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/reference/reference.h"
#include "gpu/steps/tree.h"

namespace warpview::reference {

// In double precision, each triangle from the root down. `leaves` are in the order of the tree's.
TreeOverlap overlap(const Tree& tree, std::span<const LeafTriangle> leaves);

}  // namespace warpview::reference
