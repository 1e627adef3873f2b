// Several broker queues side by side.
#pragma once

#include "gpu/primitives/queue/broker.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// `count` queues of `capacity` places each, whose words, tickets and places are consecutive.
template <class Item>
struct Brokers {
  using ItemType = Item;

  Words* words;
  std::uint32_t* tickets;
  Item* ring;
  std::uint32_t capacity;
  std::uint32_t count;

  __device__ Broker<Item> at(std::uint32_t i) const {
    const std::size_t first = std::size_t{i} * capacity;
    return Broker<Item>(words + i, tickets + first, ring + first, capacity);
  }
};

// Broker stealing queue (Kerbl et al. 2018): one queue per group of threads, here blocks, so that
// they contend for different words. An operation tries its own queue first, and the others in order
// where that refuses. Each queue is linearizable, but all of them together are not: an item may
// arrive in a queue that was already passed.
template <class Item>
struct Stealing {
  using ItemType = Item;

  Brokers<Item> queues;  // a power of two of them

  __device__ bool try_append(const Item& item, std::uint32_t* retries = nullptr) const {
    for (std::uint32_t k = 0; k < queues.count; ++k)
      if (queues.at(from_own(k)).try_append(item, retries)) return true;
    return false;
  }
  __device__ bool try_take(Item& item, std::uint32_t* retries = nullptr) const {
    for (std::uint32_t k = 0; k < queues.count; ++k)
      if (queues.at(from_own(k)).try_take(item, retries)) return true;
    return false;
  }

 private:
  __device__ std::uint32_t from_own(std::uint32_t k) const {
    return (blockIdx.x + k) & (queues.count - 1);
  }
};

// Bucket queue.
//
//   B. Kerbl, M. Kenzel, D. Schmalstieg, H.-P. Seidel, M. Steinberger, "Hierarchical Bucket Queuing
//   for Fine-Grained Priority Scheduling on the GPU", Computer Graphics Forum (Eurographics), 2017.
//
// One queue for each level of priority, all of one size. This takes memory, and gives an order for
// the price of one look at each empty level. The consumer chooses the order of levels: by default
// level 0 first. Levels may stand for a hierarchy, with the levels of one stage of the work before
// those of the next.
template <class Item>
struct Buckets {
  using ItemType = Item;

  Brokers<Item> levels;

  // Returns false if that level was full.
  __device__ bool try_append(std::uint32_t level, const Item& item,
                             std::uint32_t* retries = nullptr) const {
    return levels.at(level).try_append(item, retries);
  }
  // Returns false if every level was empty when it was tried. The k-th try is level order(k).
  template <class Order>
  __device__ bool try_take(Item& item, Order order, std::uint32_t* retries = nullptr) const {
    for (std::uint32_t k = 0; k < levels.count; ++k)
      if (levels.at(order(k)).try_take(item, retries)) return true;
    return false;
  }
  __device__ bool try_take(Item& item, std::uint32_t* retries = nullptr) const {
    return try_take(
        item, [](std::uint32_t k) { return k; }, retries);
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::queue
