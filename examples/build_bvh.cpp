// A bounding volume hierarchy on a page: triangles go in, a linear BVH (LBVH) comes out, and a ray
// finds its first hit in it. Uses gpu/ alone, on the first GPU that works, else on the CPU.
//
//   boxes -> bounds -> Morton codes -> sort -> build -> refit -> trace
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/steps/mesh.h"

using namespace warpview;

namespace {

// A device, a queue of work for it, and the memory that primitives may use while they run.
struct Machine {
  std::unique_ptr<Device> device = open_device();
  std::unique_ptr<Stream> stream = device->create_stream();
  ScratchMemory scratch{*device};

  // Runs a variant of a primitive: `warpview --list-variants` prints all of them.
  template <Primitive primitive, class Args>
  void run(const char* variant, const Args& args) {
    stream->synchronize();  // the scratch memory may be replaced: no queued work may still use it
    scratch.run(device->table().get<primitive>(find_variant(primitive, variant)), *stream, args);
  }
  // Runs a step between the primitives, which has no variants.
  template <Step step, class Args>
  void run(const Args& args) {
    scratch.run(device->table().step<step>(), *stream, args);
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& host) {
    Buffer<T> buffer(*device, host.size());
    buffer.upload(*stream, host);
    stream->synchronize();  // `host` may go
    return buffer;
  }
};

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
  Machine machine;
  Device& device = *machine.device;

  // Vertices, three indices per triangle, and the number of triangles: kernels read it where an
  // earlier kernel may have left it, on the device.
  constexpr std::uint32_t n = 1000;
  const Buffer<Vertex> vertices = machine.upload(staircase(n));
  std::vector<std::uint32_t> corners(3 * n);
  std::iota(corners.begin(), corners.end(), 0U);
  const Buffer<std::uint32_t> indices = machine.upload(corners);
  const Buffer<std::uint32_t> count = machine.upload(std::vector{n});

  // A box around each triangle, and one around them all.
  const Buffer<Aabb> boxes(device, n);
  const Buffer<SceneBounds> bounds(device, 1);
  machine.run<Step::triangle_boxes>(
      TriangleBoxArgs{vertices.data(), indices.data(), count.data(), n, boxes.data()});
  machine.run<Primitive::reduce>("last_block", ReduceArgs{ReduceOperator::scene_bounds,
                                                          boxes.data(), nullptr, n, bounds.data()});

  // A Morton code for each box, of 10 bits per axis, and the triangles in the order of their codes:
  // then what is near in space is near in memory.
  const Buffer<std::uint32_t> codes(device, n), sorted_codes(device, n), triangles(device, n);
  machine.run<Primitive::morton>(
      "bits30", MortonArgs{boxes.data(), count.data(), n, bounds.data(), codes.data()});
  machine.run<Primitive::sort>("onesweep", SortArgs{.keys_in = codes.data(),
                                                    .keys_out = sorted_codes.data(),
                                                    .values_out = triangles.data(),
                                                    .n = n,
                                                    .end_bit = 30});

  // A node for each place where sorted codes part; then its box, from the leaves up.
  const Buffer<BvhNode> nodes(device, 2 * n - 1);
  const Buffer<std::uint32_t> parents(device, 2 * n - 1), root(device, 1);
  const Bvh bvh = {nodes.data(), parents.data(), root.data(), n};
  machine.run<Primitive::build>("karras", BuildArgs{32, sorted_codes.data(), triangles.data(),
                                                    count.data(), boxes.data(), bvh});
  machine.run<Primitive::refit>("atomic", RefitArgs{count.data(), boxes.data(), bvh});

  // Straight down in the direction of step 7 from a height of 50.5: below are step 37 and step 7.
  const BoundedRay down = {.origin = direction(7.0F) * 0.5F + Vec3{0.0F, 0.0F, 50.5F},
                           .direction = {0.0F, 0.0F, -1.0F}};
  const Buffer<BoundedRay> ray = machine.upload(std::vector{down});
  const Buffer<RayHit> hit(device, 1);
  machine.run<Primitive::trace>("stack", TraceArgs{.rays = ray.data(),
                                                   .n = 1,
                                                   .count = count.data(),
                                                   .bvh = bvh,
                                                   .vertices = vertices.data(),
                                                   .indices = indices.data(),
                                                   .hits = hit.data()});
  const RayHit first = hit.download(*machine.stream).front();
  if (first.triangle == RayHit::nothing) throw Error("the ray hits nothing");
  std::printf("%s: triangle %u at t = %g\n", device.info().name.c_str(), first.triangle,
              static_cast<double>(first.t));
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
