// Rays through a bounding volume hierarchy over triangles.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/operators/ray_box.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

// The nearest hit of a ray, if there is one.
struct alignas(16) RayHit {
  static constexpr std::uint32_t nothing = 0xffffffffU;

  std::uint32_t triangle = nothing;
  float t = 0.0F;  // hit point: origin + t * direction
  float u = 0.0F;  // barycentric coordinate of the triangle's second corner
  float v = 0.0F;  // and of its third
};

// What the walk of a ray took.
struct alignas(8) TraceSteps {
  std::uint32_t nodes = 0;      // boxes that were tested
  std::uint32_t triangles = 0;  // triangles that were tested
};

// The most rays that a variant takes which tests every triangle: a GPU is busy for seconds then.
inline constexpr std::uint32_t most_rays_for_all = 1U << 18U;

// Traits of the variants (gpu/catalogue.def).
struct TraceTrait {
  static constexpr unsigned all_triangles = 1;  // tests every triangle: no tree is walked
  static constexpr unsigned sorts = 2;          // sorts the rays first
  // Walks a wide tree: the one that the variant of collapse makes which has the same name.
  static constexpr unsigned wide = 4;
  // A library's: it makes a tree of its own and tests triangles its own way. Hits agree with those
  // of the other variants by t to about 2e-5. Of triangles that are as near it may name another. It
  // counts no steps.
  static constexpr unsigned own_tree = 8;
};

// What a variant with TraceTrait::own_tree keeps from run to run. The caller drops it when the
// triangles change.
struct LibraryTree {
  std::shared_ptr<void> tree;  // made in the first run
  double build_ms = 0.0;       // how long that took
};

// For each of n rays the nearest hit between its tmin and its tmax, on either side of a triangle;
// or, where `hits` is null, whether there is any.
//
// A ray hits a triangle if it meets the triangle's box (RaySlabs::enter) and the triangle itself
// (RayShear::meets). The nearest hit has the smallest max(t, where the ray enters the box), which
// is t but for rounding; of equal ones, the triangle with the smallest number. Every variant but a
// library's thus gives the same bits, whatever the tree, as long as its boxes are exact and hold no
// NaN. A wide tree's boxes may be larger: only the triangle's own counts.
//
// The tree must be fitted to these triangles. Its depth does not matter.
struct TraceArgs {
  const BoundedRay* rays = nullptr;
  std::uint32_t n = 0;
  const std::uint32_t* count = nullptr;  // triangles, device memory
  Bvh bvh;
  // The triangles, three indices each; or, which is faster, corners in the order of the tree's
  // leaves (Step::leaf_triangles).
  const Vertex* vertices = nullptr;
  const std::uint32_t* indices = nullptr;
  const LeafTriangle* leaves = nullptr;  // [bvh.capacity]; null: by index
  RayHit* hits = nullptr;                // [n]
  std::uint32_t* any = nullptr;          // [n]: 1 if the ray hits something, else 0
  TraceSteps* steps = nullptr;           // [n]; null: not wanted
  SortFunction* sort = nullptr;          // null: only for variants that do not sort
  WideTree wide{};                       // none: only for variants that walk the binary tree
  LibraryTree* library = nullptr;        // null: a library makes its tree in each run
};

}  // namespace warpview
