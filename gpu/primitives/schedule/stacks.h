// What a block has still to do, of its own: a stack for each procedure, which no other block sees.
//
// Its lanes push while items are executed, and one thread pops between two barriers, so that a
// count in shared memory is all it takes.
#pragma once

#include "gpu/primitives/schedule/work.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <class List>
struct StackCounts;
template <class... Ps>
struct StackCounts<Procedures<Ps...>> {
  std::uint32_t of[sizeof...(Ps)];
};

// A view: the items lie in shared or in global memory.
template <class Item>
struct Stack {
  Item* items;
  std::uint32_t capacity;
  std::uint32_t* count;

  // By any lanes, while nobody pops. False: it is full.
  __device__ bool try_push(const Item& item) const {
    const std::uint32_t place = atomicAdd(count, 1U);
    if (place >= capacity) return false;
    items[place] = item;
    return true;
  }
  // The rest by one thread, while nobody pushes. How many items there are; those that were refused
  // are forgotten.
  __device__ std::uint32_t settle() const {
    if (*count > capacity) *count = capacity;
    return *count;
  }
  // The last n: they stay in their places until somebody pushes. The number of the first.
  __device__ std::uint32_t pop(std::uint32_t n) const { return *count -= n; }
};

}  // namespace warpview::WARPVIEW_BACKEND::schedule
