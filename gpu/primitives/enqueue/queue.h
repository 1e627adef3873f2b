// What the variants of enqueue share.
#pragma once

#include <initializer_list>

#include "gpu/primitives/enqueue/enqueue.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::enqueue {

// The number of items that an item of the input puts into the single queue: itself and its
// complement, itself, or none.
__device__ inline unsigned items_of(const EnqueueArgs& args, std::uint32_t item) {
  const unsigned second = args.mode == EnqueueMode::up_to_two && item < args.twice_below ? 1 : 0;
  return (item < args.below ? 1 : 0) + second;
}

// A full queue drops the item. The counter goes on and gives the number of items that would enter.
__device__ inline void put(const EnqueueArgs& args, std::uint32_t place, std::uint32_t item) {
  if (place < args.capacity) args.queue[place] = item;
}
// Puts all items that `item` stands for, from `place` on.
__device__ inline void put_items(const EnqueueArgs& args, std::uint32_t place, std::uint32_t item) {
  const unsigned items = items_of(args, item);
  if (items > 0) put(args, place, item);
  if (items > 1) put(args, place + 1, ~item);
}

// Queues the work before every kernel that enqueues: the counters start at 0. Throws Error where
// the variant lacks the mode, or the two queues do not share n places.
inline void start(Stream& stream, const EnqueueArgs& args,
                  std::initializer_list<EnqueueMode> modes) {
  bool known = false;
  for (const EnqueueMode mode : modes) known |= mode == args.mode;
  if (!known)
    throw Error("an enqueue in mode " + std::to_string(static_cast<unsigned>(args.mode)),
                "this variant does not do it", "Choose the variant atomic, which does them all");
  if (args.mode == EnqueueMode::split && args.capacity != args.n)
    throw Error(std::to_string(args.n) + " items between two queues",
                "they share " + std::to_string(args.capacity) + " places",
                "Give them as many places as there are items");
  stream.fill(args.counts, 0, 2 * sizeof(std::uint32_t));
}

}  // namespace warpview::WARPVIEW_BACKEND::enqueue
