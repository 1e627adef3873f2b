// The host function of the reductions by a tree in shared memory, tree.cu and xor_tree.cu, which
// differ in which threads are active.
#pragma once

#include "gpu/primitives/reduce/grid.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

// Two launches: out[block] = each block's share of the items, combined; then one block combines
// these.
template <class Operator, class Items, class T = typename Operator::Type>
void by_trees(Stream& stream, const Items& items, const ReduceArgs& args, Scratch& scratch,
              Kernel<Items, std::uint32_t, T*> over_items,
              Kernel<const T*, std::uint32_t, T*> over_blocks) {
  const std::uint32_t blocks = blocks_for(stream, args.n);
  auto* partial = scratch.take<T>(blocks, "partial");
  if (scratch.measuring()) return;
  launch(stream, over_items, Shape(blocks, threads), items, args.n, partial);
  launch(stream, over_blocks, Shape(1, threads), partial, blocks, static_cast<T*>(args.out));
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
