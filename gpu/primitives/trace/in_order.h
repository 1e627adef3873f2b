// Rays in another order than they come: sorted by a key, then walked as by stack.cu. sorted.cu and
// sorted_ends.cu differ in the key.
#pragma once

#include "gpu/primitives/morton/expand.h"
#include "gpu/primitives/trace/query.h"

namespace warpview::WARPVIEW_BACKEND::tracing {

// The cell of a point in a grid of 2^bits cells per axis over a box, as a Morton code of 3 * bits
// bits; bits is at most 10. Points outside count as on the border.
__device__ inline std::uint32_t cell_code(Vec3 point, const Aabb& box, int bits) {
  const auto cells = static_cast<float>(1U << static_cast<unsigned>(bits));
  const auto along = [cells](float x, float low, float high) {
    const float share = high > low ? (x - low) / (high - low) : 0.0F;
    const float cell = share * cells;
    return cell > 0.0F ? static_cast<std::uint32_t>(cell < cells - 1.0F ? cell : cells - 1.0F) : 0U;
  };
  return morton::spread10(along(point.x, box.min.x, box.max.x)) << 2U |
         morton::spread10(along(point.y, box.min.y, box.max.y)) << 1U |
         morton::spread10(along(point.z, box.min.z, box.max.z));
}

// Writes the key of this thread's ray: key_of(ray, box of the scene).
template <class KeyOf>
__device__ void write_ray_key(const TraceArgs& args, std::uint32_t* __restrict__ keys,
                              const KeyOf& key_of) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const BoundedRay ray = load_whole(args.rays + i);
  const std::uint32_t root = walk::root_of(args.bvh, args.count);
  const bool has_key = root != Bvh::no_node && can_hit(ray);
  keys[i] = has_key ? key_of(ray, walk::node_of(args.bvh, root).box()) : 0xffffffffU;
}

// Thread i walks the ray that is i-th in order.
template <class Query>
__global__ void RESIDENT_BLOCKS(threads, resident_blocks)
    trace_in_order_kernel(TraceArgs args, const std::uint32_t* __restrict__ order) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t ray = order[i];
  Query query(args);
  query.ask(ray);
  walk::near_first(args.bvh, walk::root_of(args.bvh, args.count), query);
  query.write(ray);
}

// `write_keys` has a thread for each ray.
inline void trace_sorted(Stream& stream, const TraceArgs& args, Scratch& scratch,
                         Kernel<TraceArgs, std::uint32_t*> write_keys) {
  auto* keys = scratch.take<std::uint32_t>(args.n, "keys");
  auto* sorted_keys = scratch.take<std::uint32_t>(args.n, "sorted_keys");
  auto* order = scratch.take<std::uint32_t>(args.n, "order");
  if (!scratch.measuring()) launch(stream, write_keys, one_thread_each(args.n), args, keys);
  args.sort(stream, {.keys_in = keys, .keys_out = sorted_keys, .values_out = order, .n = args.n},
            scratch);
  if (scratch.measuring()) return;
  with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_in_order_kernel<typename Kind::Type>),
           one_thread_each(args.n, threads), args, order);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::tracing
