// A bounding volume hierarchy on a page: triangles go in, and rays find what they hit first. Uses
// gpu/ alone, on the first GPU that works, else on the CPU. gpu/triangle_tree.cpp shows the
// primitives that the tree is made with.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "gpu/runtime/backends.h"
#include "gpu/triangle_tree.h"

using namespace warpview;

namespace {

// The direction in which step i of a spiral staircase with 30 steps per turn lies.
Vec3 direction(float i) {
  constexpr float angle = 6.2831853F / 30.0F;
  return {std::cos(i * angle), std::sin(i * angle), 0.0F};
}

// Step i is a level triangle at height i, from the axis to a circle of radius 1.
std::vector<Vertex> staircase(std::uint32_t steps) {
  const Vec3 up = {0.0F, 0.0F, 1.0F};
  std::vector<Vertex> corners;
  for (std::uint32_t step = 0; step < steps; ++step) {
    const auto i = static_cast<float>(step);
    for (const Vec3 corner : {Vec3{}, direction(i - 0.5F), direction(i + 0.5F)})
      corners.push_back({corner + up * i, up, {}});
  }
  return corners;
}

void build_and_trace() {
  const std::unique_ptr<Device> device = open_device();
  std::vector<Vertex> vertices = staircase(1000);
  std::vector<std::uint32_t> indices(vertices.size());
  std::iota(indices.begin(), indices.end(), 0U);

  TriangleTree tree(*device);
  tree.build(vertices, indices);
  const TreeStatistics statistics = tree.statistics();
  std::printf("%s: a tree over %u triangles, %u levels deep, SAH cost %.1f\n",
              device->info().name.c_str(), tree.triangles(), statistics.max_depth,
              statistics.sah_cost);

  // Straight down in the direction of step 7 from a height of 50.5: below are step 37 and step 7.
  const std::vector<BoundedRay> rays = {{.origin = direction(7.0F) * 0.5F + Vec3{0.0F, 0.0F, 50.5F},
                                         .direction = {0.0F, 0.0F, -1.0F}}};
  RayHit first = tree.nearest(rays).front();
  std::printf("The ray hits triangle %u at t = %g.\n", first.triangle,
              static_cast<double>(first.t));

  // The staircase is stretched to twice its height: the tree keeps its shape and is refitted.
  for (Vertex& vertex : vertices) vertex.position.z *= 2.0F;
  tree.refit(vertices);
  first = tree.nearest(rays).front();
  std::printf("Stretched: triangle %u at t = %g.\n", first.triangle, static_cast<double>(first.t));
}

}  // namespace

int main() {
  try {
    build_and_trace();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "build_bvh: %s\n", error.what());
    return 1;
  }
}
