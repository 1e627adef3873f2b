// What a ray asks of a tree, and the best answer so far: the visitor of every walk in this folder
// (gpu/operators/walk.h).
#pragma once

#include "gpu/operators/load_whole.h"
#include "gpu/operators/ray_triangle.h"
#include "gpu/operators/walk.h"
#include "gpu/primitives/trace/trace.h"

namespace warpview::WARPVIEW_BACKEND::tracing {

inline constexpr unsigned threads = tile_extent(128, 64);
// An SM has registers for at least so many blocks: other warps run while a walk waits for a node.
inline constexpr unsigned resident_blocks = 8;

// `any`: is there a hit? Else the nearest one. `counts`: are steps wanted?
template <bool any, bool counts>
class Query {
 public:
  __device__ explicit Query(const TraceArgs& args) : args_(args) {}

  // Begins with ray i.
  __device__ void ask(std::uint32_t i) {
    const BoundedRay ray = load_whole(args_.rays + i);
    slabs_ = RaySlabs(ray);
    shear_ = RayShear(ray);
    best_key_ = can_hit(ray) ? farthest : nothing_wanted;
    best_ = {};
    steps_ = {};
  }

  __device__ float enter(const BvhNode& node) {
    if constexpr (counts) ++steps_.nodes;
    return slabs_.enter(node.min, node.max);
  }
  __device__ bool wants(float key) const { return key <= best_key_; }

  __device__ bool leaf(std::uint32_t node, std::uint32_t triangle, float key) {
    if constexpr (counts) ++steps_.triangles;
    TriangleHit hit;
    return meets(node, triangle, hit) && take(triangle, hit, key);
  }

  // --- for wide trees, whose boxes may be larger than exact ones

  __device__ float enter_sides(Vec3 near, Vec3 far) {
    if constexpr (counts) ++steps_.nodes;
    return slabs_.enter_sides(near, far);
  }
  // Looks at a triangle, and at its own box only where the ray hits it; true ends the walk.
  __device__ bool triangle(const LeafTriangle& corners) {
    if constexpr (counts) ++steps_.triangles;
    TriangleHit hit;
    if (!shear_.meets(corners.a, corners.b, corners.c, hit)) return false;
    const Aabb box = corners.box();
    const float key = slabs_.enter(box.min, box.max);
    return wants(key) && take(corners.triangle, hit, key);
  }
  // The axes along which the ray runs downwards: bit 0 for x, 1 for y, 2 for z.
  __device__ unsigned downwards() const { return slabs_.downwards(); }

  // The answer of ray i.
  __device__ void write(std::uint32_t i) const {
    if constexpr (any)
      args_.any[i] = best_.triangle != RayHit::nothing ? 1 : 0;
    else
      args_.hits[i] = best_;
    if constexpr (counts) args_.steps[i] = steps_;
  }

 private:
  static constexpr float farthest = 3.402823466e38F;
  static constexpr float nothing_wanted = -1.0F;  // keys are at least 0

  // A hit in a box of this key, if it is the best so far; true ends the walk.
  __device__ bool take(std::uint32_t triangle, const TriangleHit& hit, float key) {
    const float hit_key = larger_of(hit.t, key);
    if (hit_key > best_key_) return false;
    if (hit_key == best_key_ && triangle >= best_.triangle) return false;
    best_key_ = hit_key;
    best_ = {triangle, hit.t, hit.u, hit.v};
    return any;
  }

  __device__ bool meets(std::uint32_t node, std::uint32_t triangle, TriangleHit& hit) const {
    if (args_.leaves) {
      const LeafTriangle corners = load_whole(args_.leaves + (node - args_.bvh.first_leaf()));
      return shear_.meets(corners.a, corners.b, corners.c, hit);
    }
    const std::uint32_t* corner = args_.indices + 3 * std::size_t{triangle};
    return shear_.meets(args_.vertices[corner[0]].position, args_.vertices[corner[1]].position,
                        args_.vertices[corner[2]].position, hit);
  }

  const TraceArgs& args_;
  RaySlabs slabs_;
  RayShear shear_;
  float best_key_ = nothing_wanted;
  RayHit best_;
  TraceSteps steps_;
};

// Answers ray i by a walk of a wide tree: walk(query) is false where its stack was too small. Then
// the ray begins again in the binary tree, by parent links, with the best hit so far; what it meets
// twice changes nothing.
template <class Query, class Walk>
__device__ void answer_wide(const TraceArgs& args, std::uint32_t i, const Walk& walk) {
  Query query(args);
  query.ask(i);
  const bool is_open = *args.count > 0 && query.wants(0.0F);
  if (is_open && !walk(query)) walk::linked(args.bvh, *args.bvh.root, 0.0F, query);
  query.write(i);
}

// Calls use(query_type), a value of the type of query that the arguments ask for.
template <bool any, bool counts>
struct Kind {
  using Type = Query<any, counts>;
};
template <class Use>
void with_query(const TraceArgs& args, const Use& use) {
  const auto counted = [&]<bool any>() {
    if (args.steps)
      use(Kind<any, true>());
    else
      use(Kind<any, false>());
  };
  if (args.hits)
    counted.template operator()<false>();
  else
    counted.template operator()<true>();
}

}  // namespace warpview::WARPVIEW_BACKEND::tracing
