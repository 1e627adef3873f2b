// Every ray against every triangle: no tree is walked. What the other variants must find.
//
// All lanes of a warp test the same triangle at a time, so that one load serves all of them: per
// test this is the fastest loop there is. There are only far too many tests.
#include <string>

#include "gpu/primitives/trace/query.h"
#include "gpu/runtime/error.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

template <class Query>
__global__ void __launch_bounds__(tracing::threads) trace_brute_kernel(TraceArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  Query query(args);
  query.ask(i);
  for (std::uint32_t place = 0; place < *args.count; ++place) {
    const std::uint32_t node = args.bvh.first_leaf() + place;
    const BvhNode leaf = walk::node_of(args.bvh, node);
    const float key = query.enter(leaf);
    if (query.wants(key) && query.leaf(node, leaf.left, key)) break;
  }
  query.write(i);
}

}  // namespace

void trace_brute(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (args.n > most_rays_for_all)
    throw Error(std::to_string(args.n) + " rays against every triangle",
                "this variant takes " + std::to_string(most_rays_for_all) + " at most",
                "Choose another variant");
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_brute_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
