// Embree, on the cpu device only: what a CPU can do.
//
//   I. Wald, S. Woop, C. Benthin, G. Johnson, M. Ernst, Embree: A Kernel Framework for Efficient
//   CPU Ray Tracing, 2014.
//
// As its documentation shows: a scene of one mesh of triangles with the flag ROBUST, its default
// builder, and a call for each ray. It builds a tree of its own, so the tree of the arguments is
// not read. Where the caller keeps that tree (TraceArgs::library), the first run makes it.
#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CPU)

#if defined(WARPVIEW_EMBREE)

#include <embree3/rtcore.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <chrono>
#include <memory>
#include <type_traits>
#include <vector>

namespace warpview::WARPVIEW_BACKEND {
namespace {

struct EmbreeRelease {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry mesh) const { rtcReleaseGeometry(mesh); }
};
template <class Handle>
using EmbreeOwned = std::unique_ptr<std::remove_pointer_t<Handle>, EmbreeRelease>;

class EmbreeTree {
 public:
  explicit EmbreeTree(const TraceArgs& args) : device_(rtcNewDevice(nullptr)) {
    if (!device_) throw Error("Embree", "it cannot be started here", "Choose another variant");
    scene_.reset(rtcNewScene(device_.get()));
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
    const std::uint32_t count = *args.count;
    numbers_.resize(count);
    const EmbreeOwned<RTCGeometry> mesh(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE));
    auto* const corners = static_cast<Vec3*>(
        rtcSetNewGeometryBuffer(mesh.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                sizeof(Vec3), 3 * std::size_t{count}));
    auto* const indices = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
        mesh.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), count));
    throw_if_failed();
    tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t i) {
      fill(args, i, corners + 3 * std::size_t{i});
      for (std::uint32_t corner = 0; corner < 3; ++corner)
        indices[3 * std::size_t{i} + corner] = 3 * i + corner;
    });
    rtcCommitGeometry(mesh.get());
    rtcAttachGeometry(scene_.get(), mesh.get());
    rtcCommitScene(scene_.get());
    throw_if_failed();
  }

  RayHit nearest(const BoundedRay& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit found{};
    found.ray = ray_of(ray);
    found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_.get(), &context, &found);
    if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return {numbers_[found.hit.primID], found.ray.tfar, found.hit.u, found.hit.v};
  }
  bool any(const BoundedRay& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay found = ray_of(ray);
    rtcOccluded1(scene_.get(), &context, &found);
    return found.tfar < 0.0F;
  }

 private:
  // Corners of the i-th triangle, in the order of the caller's leaves or by index.
  void fill(const TraceArgs& args, std::uint32_t i, Vec3* corners) {
    if (args.leaves) {
      const LeafTriangle& leaf = args.leaves[i];
      numbers_[i] = leaf.triangle;
      corners[0] = leaf.a;
      corners[1] = leaf.b;
      corners[2] = leaf.c;
      return;
    }
    numbers_[i] = i;
    for (std::size_t corner = 0; corner < 3; ++corner)
      corners[corner] = args.vertices[args.indices[3 * std::size_t{i} + corner]].position;
  }
  static RTCRay ray_of(const BoundedRay& ray) {
    return {.org_x = ray.origin.x,
            .org_y = ray.origin.y,
            .org_z = ray.origin.z,
            .tnear = ray.tmin,
            .dir_x = ray.direction.x,
            .dir_y = ray.direction.y,
            .dir_z = ray.direction.z,
            .time = 0.0F,
            .tfar = ray.tmax,
            .mask = ~0U,
            .id = 0,
            .flags = 0};
  }

  void throw_if_failed() const {
    if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE)
      throw Error("Embree", "it made no tree of these triangles", "Choose another variant");
  }

  EmbreeOwned<RTCDevice> device_;
  EmbreeOwned<RTCScene> scene_;
  std::vector<std::uint32_t> numbers_;  // of the triangles, by Embree's
};

// The tree that the caller keeps, made now where there is none yet.
std::shared_ptr<const EmbreeTree> embree_tree(const TraceArgs& args) {
  if (args.library && args.library->tree)
    return std::static_pointer_cast<const EmbreeTree>(args.library->tree);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  auto tree = std::make_shared<EmbreeTree>(args);
  const std::chrono::duration<double, std::milli> took = Clock::now() - begun;
  if (args.library) *args.library = {tree, took.count()};
  return tree;
}

void answer_by_embree(const TraceArgs& args, const EmbreeTree& tree, std::uint32_t i) {
  const BoundedRay& ray = args.rays[i];
  const bool is_open = can_hit(ray);
  if (args.hits)
    args.hits[i] = is_open ? tree.nearest(ray) : RayHit{};
  else
    args.any[i] = is_open && tree.any(ray) ? 1 : 0;
  if (args.steps) args.steps[i] = {};
}

}  // namespace

void trace_library(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    const std::shared_ptr<const EmbreeTree> tree = embree_tree(args);
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, args.n, 256), [&](const auto& range) {
      for (std::uint32_t i = range.begin(); i != range.end(); ++i) answer_by_embree(args, *tree, i);
    });
  });
}

}  // namespace warpview::WARPVIEW_BACKEND

#else

namespace warpview::WARPVIEW_BACKEND {

void trace_library(Stream& /*stream*/, const TraceArgs& /*args*/, Scratch& /*scratch*/) {
  throw Error("trace=library", "this program was built without Embree",
              "Install Embree 3 (apt install libembree-dev) and build again");
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
#endif
