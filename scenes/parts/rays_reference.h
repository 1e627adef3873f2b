// A ray traced picture, one ray after the other on the host: what the scene `rays` is held against.
// It shares the arithmetic of a ray with the kernels (gpu/steps/rays_shading.h), and nothing else.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/reference/rays.h"
#include "gpu/steps/paths.h"
#include "gpu/steps/rays.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/tree.h"

namespace warpview {

// --- for difference()
inline std::string in_words(const BoundedRay& ray) {
  return fmt::format("from {} along {}, {} to {}", in_words(ray.origin), in_words(ray.direction),
                     ray.tmin, ray.tmax);
}
inline std::string in_words(const RayHit& hit) {
  return fmt::format("triangle {} at {}, u {}, v {}", hit.triangle, hit.t, hit.u, hit.v);
}
inline std::string in_words(const LeafTriangle& leaf) {
  return fmt::format("triangle {} of {}, {}, {}", leaf.triangle, in_words(leaf.a), in_words(leaf.b),
                     in_words(leaf.c));
}
inline std::string in_words(const PathState& path) {
  return fmt::format("share {}, density {}, light {}, {}, pending {}, {} diffuse",
                     in_words(path.throughput), path.density, in_words(path.light.xyz),
                     path.light.w, in_words(path.pending), path.diffuse);
}
inline std::string in_words(const Vec4& v) { return fmt::format("{}, {}", in_words(v.xyz), v.w); }

// The triangles in the order of the tree's leaves.
std::vector<LeafTriangle> leaf_triangles_of(const Tree::Snapshot& tree);

// What rays hit, on the host.
struct RaysModel {
  std::span<const Vertex> vertices;
  std::span<const std::uint32_t> indices;
  std::span<const std::uint32_t> material;
  std::span<const std::uint32_t> colours;
  std::span<const Substance> substances;
  const Texture* textures = nullptr;  // as RaysMesh::textures
  const RaysTables& tables;
  PathLights lights{};  // in host memory

  RaysMesh mesh() const;
};

// One sample of each pixel, by ray.
struct RaysSample {
  std::vector<BoundedRay> rays;  // of the view `paths`: the last ones of the paths, and their hits
  std::vector<RayHit> hits;
  std::vector<TraceSteps> steps;        // of views that show them
  std::vector<BoundedRay> shadow_rays;  // of the last round, in views with shadows
  std::vector<std::uint32_t> shadow;
  std::vector<PathState> paths;  // of the view `paths`, after their last surface
  std::vector<Vec4> sums;
  RayCounts counts{};
};

// The sample once more, one ray after the other. What a ray tested depends on its walk: `steps` are
// the device's.
RaysSample trace_one_by_one(const RaysModel& model, const RaysLook& look,
                            const std::vector<TraceSteps>& steps, std::size_t n);
// Holds a sample against that: stage by stage, up to the first that differs.
std::vector<Check> check_rays(const RaysModel& model, const RaysLook& look,
                              const RaysSample& found);

// The picture of all samples.
std::vector<std::uint32_t> rays_pixels(const RaysTables& tables, const RaysLook& look,
                                       std::span<const Vec4> sums);

}  // namespace warpview
