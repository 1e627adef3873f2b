// A block's private work list: a stack for each procedure, which no other block sees.
//
// Its lanes push while items are executed, and one thread pops between two barriers, so a count in
// shared memory suffices.
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

  // Called by any lanes, while no thread pops. Returns false if it is full.
  __device__ bool try_push(const Item& item) const {
    const std::uint32_t place = atomicAdd(count, 1U);
    if (place >= capacity) return false;
    items[place] = item;
    return true;
  }
  // The functions below are called by one thread, while no lane pushes. Returns the number of
  // items; refused ones are dropped from the count.
  __device__ std::uint32_t settle() const {
    if (*count > capacity) *count = capacity;
    return *count;
  }
  // Pops the last n: they stay in place until the next push. Returns the index of the first.
  __device__ std::uint32_t pop(std::uint32_t n) const { return *count -= n; }
};

}  // namespace warpview::WARPVIEW_BACKEND::schedule
