// The balanced tree over a tile that Blelloch's and Brent and Kung's scans build in shared memory,
// in place of the items, by half as many threads as items.
//
// On the level where a node has two children of `span` items each, node k covers the items from
// 2 k span on. Its left child's sum is stored in place of the left child's last item. Its own sum
// replaces the right child's, in place of its own last item:
//
//     left(k) = (2 k + 1) span - 1        right(k) = (2 k + 2) span - 1
//
// Neighbouring threads have a stride of 2 span words: on each level up they use half as many banks,
// until few threads are left. `Place` gives the word of shared memory that holds item i.
#pragma once

#include "gpu/primitives/block_scan/tile.h"

namespace warpview::WARPVIEW_BACKEND::block_scan {

// Item i in word i.
struct InOrder {
  __device__ static unsigned of(unsigned i) { return i; }
  // Words for the largest tile and one more item.
  static constexpr unsigned words = largest_tile + 1;
};

// One padding word after every `banks` items: words `banks` items apart are on different banks.
template <unsigned banks>
struct Padded {
  __device__ static unsigned of(unsigned i) { return i + i / banks; }
  static constexpr unsigned words = largest_tile + largest_tile / banks + 1;
};

// One more after every banks^2 items, which removes the conflicts that larger tiles keep. Each
// address costs another shift and another addition.
template <unsigned banks>
struct PaddedTwice {
  __device__ static unsigned of(unsigned i) { return i + i / banks + i / (banks * banks); }
  static constexpr unsigned words =
      largest_tile + largest_tile / banks + largest_tile / (banks * banks) + 1;
};

// From the leaves to the root: log n steps, n - 1 applications. The first barrier makes the items
// visible that the block has just written. The last word that thread 0 wrote, the sum of all items,
// is in place of the last item; other threads may not see it yet.
template <class Operator, class Place>
__device__ inline void up_sweep(typename Operator::Type* sums, unsigned tile) {
  const unsigned k = threadIdx.x;
  unsigned span = 1;
  for (unsigned nodes = tile / 2; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (k < nodes) {
      const unsigned left = Place::of((2 * k + 1) * span - 1);
      const unsigned right = Place::of((2 * k + 2) * span - 1);
      sums[right] = Operator::combine(sums[left], sums[right]);
    }
    span *= 2;
  }
}

// From the root to the leaves, after up_sweep: log n steps, n - 1 applications. The left child gets
// its parent's exclusive prefix; the right child gets that plus the left child's sum. At the end
// item i holds its exclusive prefix, and the word after the last item holds the total.
template <class Operator, class Place>
__device__ inline void exclusive_down_sweep(typename Operator::Type* sums, unsigned tile) {
  const unsigned k = threadIdx.x;
  if (k == 0) {
    const unsigned root = Place::of(tile - 1);
    sums[Place::of(tile)] = sums[root];
    sums[root] = Operator::identity();
  }
  unsigned span = tile / 2;
  for (unsigned nodes = 1; nodes < tile; nodes *= 2) {
    __syncthreads();
    if (k < nodes) {
      const unsigned left = Place::of((2 * k + 1) * span - 1);
      const unsigned right = Place::of((2 * k + 2) * span - 1);
      const auto before = sums[right];
      sums[right] = Operator::combine(before, sums[left]);
      sums[left] = before;
    }
    span /= 2;
  }
  __syncthreads();
}

// Stores item i after a sweep that left exclusive prefixes. The inclusive prefix of an item is the
// exclusive prefix of the next.
template <class Place, class Operator>
__device__ inline void store_from_exclusive(const Tiles<Operator>& tile, unsigned i,
                                            const typename Operator::Type* sums) {
  tile.store(i, sums[Place::of(tile.inclusive ? i + 1 : i)]);
}

// Stores item i after a sweep that left inclusive prefixes.
template <class Place, class Operator>
__device__ inline void store_from_inclusive(const Tiles<Operator>& tile, unsigned i,
                                            const typename Operator::Type* sums) {
  if (tile.inclusive)
    tile.store(i, sums[Place::of(i)]);
  else
    tile.store(i, i > 0 ? sums[Place::of(i - 1)] : Operator::identity());
}

}  // namespace warpview::WARPVIEW_BACKEND::block_scan
