// Wide trees: nodes with up to four or eight children, made from a binary tree, for rays.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gpu/primitives/build/bvh.h"

namespace warpview {

// The corners of a leaf's triangle, and its number: 48 bytes, three 16-byte loads.
struct alignas(16) LeafTriangle {
  Vec3 a;
  std::uint32_t triangle;
  Vec3 b;
  float unused_b;
  Vec3 c;
  float unused_c;

  // As the triangle's leaf has it, but for the sign of zeros.
  HOST_DEVICE Aabb box() const { return merge(merge(Aabb{a, a}, Aabb{b, b}), Aabb{c, c}); }
};
static_assert(sizeof(LeafTriangle) == 48);

// The most triangles of a leaf of a wide tree.
inline constexpr unsigned most_leaf_triangles = 3;

// Four children with exact boxes: 128 bytes, one line of the cache.
struct alignas(16) WideNode4 {
  static constexpr unsigned width = 4;
  static constexpr std::uint32_t no_child = 0xffffffffU;

  float min_x[width], min_y[width], min_z[width];  // no child: the empty box
  float max_x[width], max_y[width], max_z[width];
  // no_child; an inner node's index; or, for a leaf, its first triangle and, in the upper two bits,
  // how many it has.
  std::uint32_t child[width];
  std::uint32_t unused[width];  // 0

  HOST_DEVICE Aabb box(unsigned i) const {
    return {{min_x[i], min_y[i], min_z[i]}, {max_x[i], max_y[i], max_z[i]}};
  }
  HOST_DEVICE static std::uint32_t leaf(std::uint32_t first, std::uint32_t triangles) {
    return triangles << 30U | first;
  }
  HOST_DEVICE static std::uint32_t triangles_of(std::uint32_t child) { return child >> 30U; }
  HOST_DEVICE static std::uint32_t first_of(std::uint32_t child) { return child & 0x3fffffffU; }
};
static_assert(sizeof(WideNode4) == 128);

// Eight children whose boxes are given by 8 bits a side: 80 bytes, five 16-byte loads.
//
//   H. Ylitie, T. Karras, S. Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
//   Wide BVHs, 2017.
//
// A side of a child's box is origin + q * scale, rounded to a float: a multiple q, from 0 to 255,
// of a power of two for each axis. The product is exact; the sum is rounded, and q is chosen so
// that the rounded box contains the exact one. A child has a slot. Byte s of a row is that of slot
// s. What no child uses is 0.
struct alignas(16) WideNode8 {
  static constexpr unsigned width = 8;
  static constexpr std::uint32_t inner_mark = 0x80U;

  Vec3 origin;
  // Bits 0 to 23: the exponents of the scales of x, y and z, as a float has them; 24 to 31: which
  // slots hold inner nodes.
  std::uint32_t exponents;
  std::uint32_t first_node;      // of the inner children, which follow one another by their slots
  std::uint32_t first_triangle;  // of the leaves
  // 0: the slot is empty; inner_mark: an inner node; else a leaf: how many triangles, << 5, and
  // where its first one is behind first_triangle.
  std::uint64_t kinds;
  std::uint64_t min_x, min_y, min_z, max_x, max_y, max_z;

  HOST_DEVICE static float scale_of(std::uint32_t exponent) {
    const std::uint32_t bits = exponent << 23U;
    float scale;
    std::memcpy(&scale, &bits, sizeof scale);
    return scale;
  }
  HOST_DEVICE float scale(unsigned axis) const {
    return scale_of(exponents >> (8U * axis) & 0xffU);
  }
  HOST_DEVICE std::uint32_t inner_slots() const { return exponents >> 24U; }
  // How many of the inner nodes' slots are before `slot`: an inner child's place behind first_node.
  HOST_DEVICE static std::uint32_t rank(std::uint32_t inner_slots, unsigned slot) {
    const std::uint32_t before = inner_slots & ((1U << slot) - 1U);
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popc(before));
#else
    return static_cast<std::uint32_t>(__builtin_popcount(before));
#endif
  }
  HOST_DEVICE static std::uint32_t byte(std::uint64_t row, unsigned slot) {
    return static_cast<std::uint32_t>(row >> (8U * slot)) & 0xffU;
  }
  // A byte as a float. Conversions run at a quarter of the rate of other instructions on NVIDIA's
  // GPUs: there the byte becomes the last of a float from 2^23 on, which are whole numbers.
  HOST_DEVICE static float number(std::uint64_t row, unsigned slot) {
#if defined(__CUDA_ARCH__)
    const auto half = static_cast<std::uint32_t>(slot < 4 ? row : row >> 32U);
    return __uint_as_float(__byte_perm(half, 0x4b000000U, 0x7440U | (slot & 3U))) - 0x1p23F;
#else
    return static_cast<float>(byte(row, slot));
#endif
  }
  // origin + q * scale, rounded once. The product is exact unless it is too large for a float.
  HOST_DEVICE static float side(float origin, float scale, float q) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return fmaf(q, scale, origin);
#else
    const float product = q * scale;
    return product <= std::numeric_limits<float>::max() ? origin + product
                                                        : std::fma(q, scale, origin);
#endif
  }
  // As it is decoded.
  HOST_DEVICE Aabb box(unsigned slot) const {
    const Vec3 step{scale(0), scale(1), scale(2)};
    const auto corner = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
      return Vec3{side(origin.x, step.x, number(x, slot)), side(origin.y, step.y, number(y, slot)),
                  side(origin.z, step.z, number(z, slot))};
    };
    return {corner(min_x, min_y, min_z), corner(max_x, max_y, max_z)};
  }
};
static_assert(sizeof(WideNode8) == 80);

// A wide tree over the triangles of a binary one. Node 0 is the root; without triangles nothing is
// defined. Inner nodes have two children at least, the root of one triangle has one. Nodes and
// triangles lie in the order in which they were made, which differs from run to run.
struct WideTree {
  WideNode4* four = nullptr;  // one of the two: [node_capacity(triangles)]
  WideNode8* eight = nullptr;
  LeafTriangle* triangles = nullptr;  // [triangles]

  // The most nodes that so many triangles need. A node that is not full has leaves alone, with four
  // triangles or more in all, since fewer make a leaf; the root may have fewer. It follows that
  // there are at most a third as many nodes as triangles.
  template <class Count>
  HOST_DEVICE static constexpr Count node_capacity(Count triangles) {
    return triangles / 3 + 1;
  }
};

// Makes a wide tree: a wide node takes its binary node's children and goes on replacing the one of
// the largest area by its own two, of equal ones the first, until it is full. Of what is left,
// binary nodes of two or three triangles become leaves, larger ones wide nodes.
//
// A variant writes the one layout that its name says (CollapseTrait). The boxes are finite.
struct CollapseArgs {
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;                               // fitted
  const LeafTriangle* leaves = nullptr;  // in the order of the leaves, [bvh.capacity]
  WideTree out;
};

// Traits of the variants (gpu/catalogue.def).
struct CollapseTrait {
  static constexpr unsigned four = 1;   // writes WideTree::four
  static constexpr unsigned eight = 2;  // writes WideTree::eight
};

}  // namespace warpview
