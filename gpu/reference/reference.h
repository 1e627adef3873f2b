// Every primitive again, sequentially on the host: plain loops and the standard library, written to
// be visibly right. The tests and the program's --verify compare the variants' results with these.
// Where items are very many, some are distributed over all cores: gpu/reference/all_cores.h, which
// has scan, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/operators/bounds.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/dedup/dedup.h"
#include "gpu/reference/all_cores.h"
#include "gpu/runtime/vec.h"

namespace warpview::reference {

// gpu/primitives/reduce/reduce.h, scene_bounds
SceneBounds bounds(std::span<const Aabb> boxes);

// gpu/primitives/sort/sort.h. Key is std::uint32_t or std::uint64_t.
template <class Key>
struct Pairs {
  std::vector<Key> keys;
  std::vector<std::uint32_t> values;
};
// Empty `values` stand for 0, 1, ..., n - 1.
template <class Key>
Pairs<Key> sort(std::span<const Key> keys, std::span<const std::uint32_t> values, int begin_bit,
                int end_bit);

// gpu/primitives/morton/morton.h. `domain` is SceneBounds::centres; boxes from `count` on are
// padding.
std::vector<std::uint32_t> morton_bits30(std::span<const Aabb> boxes, std::size_t count,
                                         const Aabb& domain);
std::vector<std::uint64_t> morton_bits63(std::span<const Aabb> boxes, std::size_t count,
                                         const Aabb& domain);

// gpu/primitives/dedup/dedup.h
struct Mesh {
  std::vector<std::uint32_t> indices;
  std::vector<Vertex> vertices;
};
Mesh dedup(std::span<const Vertex> corners, Cores cores = Cores::as_many_as_pay);

// The box of each triangle: three indices per triangle.
std::vector<Aabb> triangle_boxes(std::span<const Vertex> vertices,
                                 std::span<const std::uint32_t> indices);

// A Bvh (gpu/primitives/build/bvh.h) in host memory, over `count` primitives.
struct Tree {
  std::vector<BvhNode> nodes;
  std::vector<std::uint32_t> parent;
  std::uint32_t root = Bvh::no_node;
  std::uint32_t capacity = 0;
  std::uint32_t count = 0;

  std::uint32_t first_leaf() const { return capacity - 1; }
};

// The boxes of all nodes, by primitive's box and union; the topology must be sound.
void refit(Tree& tree, std::span<const Aabb> boxes);

// Is the tree the binary radix tree of the sorted codes (32-bit codes zero-extended), with equal
// codes told apart by their index? That is: the root covers all keys; every inner node splits its
// range where the first bit after their common prefix turns to 1; every primitive lies in exactly
// one leaf, in order; parents and children name each other; no node is used twice. Returns the
// first difference in words, or an empty string.
std::string check_topology(const Tree& tree, std::span<const std::uint64_t> codes,
                           std::span<const std::uint32_t> primitives,
                           Cores cores = Cores::as_many_as_pay);

// Is the tree one over these primitives, of whatever shape? That is: the leaf of the i-th of them
// is at place i; every leaf is reached once from the root, and every inner node at most once;
// parents and children name each other. Returns the first difference in words, or an empty string.
std::string check_links(const Tree& tree, std::span<const std::uint32_t> primitives);

// The tree that a builder without BuildTrait::radix makes, with boxes and numbers: sequentially,
// from the definition. It is that of the sweep (gpu/primitives/build/sah_sweep.cu) with the trait
// sweeps, that of PLOC (ploc.cu) with in_rounds, else that of H-PLOC (hploc.cu). `boxes` are by
// primitive.
Tree built_tree(unsigned build_traits, std::span<const std::uint64_t> codes,
                std::span<const std::uint32_t> primitives, std::span<const Aabb> boxes,
                std::uint32_t capacity);

// Is `got` the same tree as `want`, link by link? Boxes are left out.
std::string check_same_links(const Tree& got, const Tree& want);

// Has every leaf its primitive's box and every inner node the union of its children's? (The root's
// box is then the union of all.) The topology must be sound. Returns the first difference, or an
// empty string.
std::string check_boxes(const Tree& tree, std::span<const Aabb> boxes,
                        Cores cores = Cores::as_many_as_pay);

}  // namespace warpview::reference
