// What a wide tree must be (gpu/primitives/collapse/wide_tree.h), checked sequentially.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/reference/reference.h"

namespace warpview::reference {

// How a wide tree differs from the one that its binary tree gives, children by children from the
// root; empty where it does not. `nodes` are all that there is room for, and `triangles` as many as
// the tree has; `leaves` are in the order of the binary tree's.
std::string check_wide(const Tree& tree, std::span<const LeafTriangle> leaves,
                       std::span<const WideNode4> nodes, std::span<const LeafTriangle> triangles);
std::string check_wide(const Tree& tree, std::span<const LeafTriangle> leaves,
                       std::span<const WideNode8> nodes, std::span<const LeafTriangle> triangles);

// How many nodes of this width the binary tree gives.
std::uint32_t wide_node_count(const Tree& tree, unsigned width);

}  // namespace warpview::reference
