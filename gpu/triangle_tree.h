// A bounding volume hierarchy over triangles in a few lines. Your own program builds, refits and
// traces it with the primitives of gpu/.
//
//   const auto device = open_device();
//   TriangleTree tree(*device);
//   tree.build(vertices, indices);
//   const std::vector<RayHit> hits = tree.nearest(rays);
//
// examples/build_bvh.cpp is such a program. gpu/triangle_tree.cpp shows how the primitives follow
// one another:
//
//   boxes -> bounds -> Morton codes -> sort -> build -> refit -> [optimise] -> [collapse] -> trace
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/operators/bounds.h"
#include "gpu/primitives/collapse/wide_memory.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/steps/tree.h"

namespace warpview {

// The variants that a tree is made with, by name (`warpview --list-variants`). An empty name stands
// for the device's default or, where that does not take the builder's trees, for the first refit
// that does. Trees of `hploc` are traced faster than the radix trees of the other builders. A
// `trace` that walks a wide tree, as `wide4` does, has each build and refit collapse the tree, too.
// Each build is followed by as many rounds of `optimise` as are wanted, 0 for none.
struct TreeVariants {
  std::string morton = {};
  std::string sort = {};
  std::string build = "hploc";
  std::string refit = {};
  std::string optimise = {};
  std::uint32_t optimise_rounds = 0;
  std::string trace = {};
};

// A tree over triangles on one device. It belongs to one thread at a time.
class TriangleTree {
 public:
  // Triangles in device memory: `n` of them, at most 2^30, three indices each. The coordinates that
  // they use are finite, and each index is that of a vertex.
  struct DeviceTriangles {
    const Vertex* vertices = nullptr;
    const std::uint32_t* indices = nullptr;
    std::uint32_t n = 0;
  };

  // A tree over no triangles. Error where a variant is unknown or does not run on the device, or
  // where the refit does not take the builder's trees.
  explicit TriangleTree(Device& device, const TreeVariants& variants = {});

  // --- With data on the host. These functions wait for the device. Where input is refused or
  // memory is missing, they throw Error and the tree that was built before stays.

  // Uploads triangles and builds a tree over them. Three indices per triangle, each below the
  // number of vertices; coordinates that triangles use are finite.
  void build(std::span<const Vertex> vertices, std::span<const std::uint32_t> indices);
  // Fits the tree to vertices that moved: as many as it was built with, all of them finite.
  void refit(std::span<const Vertex> vertices);
  // The nearest hit of each ray between its tmin and tmax; RayHit::nothing where there is none.
  std::vector<RayHit> nearest(std::span<const BoundedRay> rays);
  // 1 where a ray hits something between its tmin and tmax, else 0.
  std::vector<std::uint32_t> any(std::span<const BoundedRay> rays);
  // Depth, and the cost by the surface area heuristic.
  TreeStatistics statistics();
  // How much triangles lie in boxes of nodes that they are not below. Takes longer than a build.
  TreeOverlap overlap();
  // The box around all triangles; empty without triangles.
  Aabb bounds();

  // --- With data in device memory. `build` waits for the device; the others queue work on stream()
  // and return.

  // The triangles stay where they are, and must live as long as the tree is refitted.
  void build(const DeviceTriangles& triangles);
  // After the vertices have moved in their place.
  void refit();
  void nearest(const BoundedRay* rays, std::uint32_t n, RayHit* hits);
  void any(const BoundedRay* rays, std::uint32_t n, std::uint32_t* any);
  Stream& stream() { return *stream_; }

  std::uint32_t triangles() const { return built_.triangles.n; }
  // For your own kernels (gpu/operators/walk.h). Valid until the next build.
  Bvh bvh() const;

 private:
  // What a build makes. Replaced as a whole.
  struct Built {
    Buffer<Vertex> vertices;  // only of triangles that came from the host
    Buffer<std::uint32_t> indices;
    DeviceTriangles triangles;
    Buffer<std::uint32_t> count, parent, root;
    Buffer<SceneBounds> bounds;
    Buffer<Aabb> boxes;
    Buffer<BvhNode> nodes;
    Buffer<LeafTriangle> leaves;
    WideMemory wide;  // only where rays walk a wide tree

    Bvh bvh() const;
  };

  template <class Function, class Args>
  void run(Function* function, const Args& args);
  template <Primitive primitive, class Args>
  void run_variant(VariantId variant, const Args& args);
  Built on_device(const DeviceTriangles& triangles);
  void build_on_device(Built& built);
  void find_boxes(Built& built);
  void fit(Built& built);
  void optimise(Built& built);
  void copy_leaf_triangles(Built& built);
  void collapse(Built& built);
  void trace(const BoundedRay* rays, std::uint32_t n, RayHit* hits, std::uint32_t* any);

  Device* device_;
  VariantId morton_, sort_, build_, optimise_;
  std::uint32_t optimise_rounds_;
  VariantId refit_, trace_;
  std::optional<VariantId> collapse_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  Built built_;
};

}  // namespace warpview
