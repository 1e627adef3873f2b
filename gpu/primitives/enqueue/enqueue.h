// Enqueue: appends the items that pass a test to a queue.
#pragma once

#include <cstdint>

namespace warpview {

// What an item enqueues. The order in the queue is unspecified.
enum class EnqueueMode : std::uint32_t {
  passing,    // enters if it is less than `below`
  up_to_two,  // as passing; if it is less than `twice_below`, its complement ~item enters as well
  split       // enters if it is less than `below`, otherwise a second queue, from the back
};

// Traits of the variants (gpu/catalogue.def). Every variant does `passing`, except with
// only_splits.
struct EnqueueTrait {
  static constexpr unsigned two_items = 1;    // does up_to_two as well
  static constexpr unsigned splits = 2;       // does split as well
  static constexpr unsigned only_splits = 4;  // does only split
  static constexpr unsigned bounded = 8;      // the queue may be too small
};

// The test is cheap on purpose: the cost lies in finding a place in the queue.
struct EnqueueArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
  EnqueueMode mode = EnqueueMode::passing;
  std::uint32_t below = 0;
  std::uint32_t twice_below = 0;  // at most `below`

  // The queue is queue[0, capacity). Items without a place there are dropped, and nothing beyond it
  // is written. Split: `capacity` is n; the second queue's k-th item is queue[n - 1 - k].
  std::uint32_t* queue = nullptr;
  std::uint32_t capacity = 0;
  // counts[0]: items for the queue, even if fewer fit; counts[1]: items for the second queue.
  // 8-byte aligned, overwritten.
  std::uint32_t* counts = nullptr;
};

}  // namespace warpview
