// The climb from the leaves to the root: a thread starts at every leaf, and of two threads that
// meet at a node the second goes on, with what both have found.
//
//   T. Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012
//   (the parallel reduction that fits the boxes).
//
// The sibling's value was written by another thread, often in a block on another SM. The fence
// before the counter orders this thread's value before its arrival for every observer. The fence
// after it keeps every load of the sibling's value from being served from before the arrival, by
// reordering or from a stale line of this SM's L1 (on cuda and hip the fence invalidates those).
// Ordinary loads then suffice.
#pragma once

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::refit {

// From `node`, whose value is written, to its parent. False where the sibling's subtree is not done
// or there is no parent: then another thread goes on, or the tree is done. arrived[capacity - 1]
// were all 0. A thread changes `parent` only of nodes below the one that it has climbed to.
__device__ inline bool climb(const Bvh& bvh, std::uint32_t& node, std::uint32_t* arrived) {
  const std::uint32_t parent = bvh.parent[node];
  if (parent == Bvh::no_node) return false;
  __threadfence();  // release: my value before my arrival
  if (atomicAdd(&arrived[parent], 1U) == 0) return false;
  __threadfence();  // acquire: the sibling's value after its arrival
  node = parent;
  return true;
}

}  // namespace warpview::WARPVIEW_BACKEND::refit
