// Nearest boxes by a walk down the tree (gpu/operators/walk.h). One thread per ray.
#include "gpu/steps/trace_boxes.h"

#include "gpu/operators/walk.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned trace_boxes_threads = 128;

class NearestBox {
 public:
  __device__ NearestBox(const Bvh& bvh, const BoundedRay& ray) : bvh_(bvh), slabs_(ray) {
    if (!can_hit(ray)) best_.t = -1.0F;
  }

  __device__ float enter(const BvhNode& node) {
    ++steps_.nodes;
    return slabs_.enter(node.min, node.max);
  }
  __device__ bool wants(float key) const { return key <= best_.t; }
  __device__ bool leaf(std::uint32_t node, std::uint32_t box, float /*key*/) {
    ++steps_.triangles;
    float first, last;
    slabs_.cut(bvh_.nodes[node].min, bvh_.nodes[node].max, first, last);
    const float t = first > slabs_.tmin() ? first : last;
    if (first <= last && t < slabs_.tmax() &&
        (t < best_.t || (t == best_.t && box < best_.triangle)))
      best_ = {box, t, 0.0F, 0.0F};
    return false;
  }

  __device__ RayHit hit() const { return best_.triangle == RayHit::nothing ? RayHit() : best_; }
  __device__ TraceSteps steps() const { return steps_; }

 private:
  const Bvh& bvh_;
  RaySlabs slabs_;
  RayHit best_{.t = 3.402823466e38F};
  TraceSteps steps_;
};

__global__ void trace_boxes_kernel(TraceBoxesArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  NearestBox nearest(args.bvh, args.rays[i]);
  walk::near_first(args.bvh, walk::root_of(args.bvh, args.count), nearest);
  args.hits[i] = nearest.hit();
  if (args.steps) args.steps[i] = nearest.steps();
}

}  // namespace

void trace_boxes(Stream& stream, const TraceBoxesArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(trace_boxes_kernel), one_thread_each(args.n, trace_boxes_threads), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
