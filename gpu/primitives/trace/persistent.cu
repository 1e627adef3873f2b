// Persistent warps: a lane whose ray is done takes another one, while the others go on.
//
//   T. Aila, S. Laine, Understanding the Efficiency of Ray Traversal on GPUs, 2009 (persistent
//   while-while); T. Aila, S. Laine, T. Karras, Understanding the Efficiency of Ray Traversal on
//   GPUs: Kepler and Fermi Addendum, 2012 (replacing terminated rays).
//
// A warp of stack.cu takes as long as its longest ray, and with rays of bounces most of its lanes
// wait for that one. Here there are only as many warps as can be resident, and each takes rays
// until there are none left. Fetching costs an atomic and divergence, so a warp fetches only when
// several lanes are idle, and then for all of them at once: one lane adds their number to the
// counter of rays taken, and each idle lane takes its share by its rank among them.
#include <algorithm>

#include "gpu/primitives/trace/query.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned no_fewer_idle = 8;  // lanes that must be idle before a warp fetches

// Where the warp's idle lanes begin in the row of rays. All lanes call it with the same `idle`,
// which is not 0.
__device__ inline std::uint32_t take_rays(std::uint32_t* taken, warp::LaneMask idle) {
  const unsigned leader = warp::first(idle);
  std::uint32_t begin = 0;
  if (warp::lane() == leader) begin = atomicAdd(taken, warp::count(idle));
  return warp::shuffle(warp::all_lanes(), begin, leader);
}

// *taken starts at 0.
template <class Query>
__global__ void RESIDENT_BLOCKS(tracing::threads, tracing::resident_blocks)
    trace_persistent_kernel(TraceArgs args, std::uint32_t* taken) {
  const std::uint32_t root = walk::root_of(args.bvh, args.count);
  Query query(args);
  walk::NearFirst<walk::usual_stack>::Stack stack;
  walk::NearFirst<walk::usual_stack> walk(args.bvh, stack);
  std::uint32_t ray = 0;
  bool has_ray = false;
  bool are_rays_left = true;  // the same for all lanes
  for (;;) {
    const warp::LaneMask idle = warp::ballot(warp::all_lanes(), !has_ray);
    if (are_rays_left && warp::count(idle) >= no_fewer_idle) {
      const std::uint32_t begin = take_rays(taken, idle);
      are_rays_left = begin + warp::count(idle) < args.n;
      if (!has_ray) {
        ray = begin + warp::count(idle & warp::lanes_before());
        has_ray = ray < args.n;
        if (has_ray) {
          query.ask(ray);
          walk.start(root, query);
        }
      }
    } else if (!are_rays_left && idle == warp::all_lanes()) {
      return;
    }
    if (!has_ray) continue;
    if (walk.to_leaf(query) && !query.leaf(walk.node(), walk.primitive(), walk.key())) continue;
    query.write(ray);
    has_ray = false;
  }
}

}  // namespace

void trace_persistent(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  auto* taken = scratch.take<std::uint32_t>(1, "taken");
  if (scratch.measuring()) return;
  stream.fill(taken, 0, sizeof(std::uint32_t));
  const auto resident =
      static_cast<std::uint32_t>(stream.device().info().multiprocessors) * tracing::resident_blocks;
  const std::uint32_t blocks = std::min(ceil_div(args.n, tracing::threads), resident);
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_persistent_kernel<typename Kind::Type>),
           Shape(blocks, tracing::threads), args, taken);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
