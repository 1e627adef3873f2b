// Appending to a queue what passes a test.
#pragma once

#include <cstdint>

namespace warpview {

// What an item does. Orders in the queue are any.
enum class EnqueueMode : std::uint32_t {
  passing,    // enters if it is less than `below`
  up_to_two,  // as before; if it is less than `twice_below`, its complement ~item enters as well
  split       // enters if it is less than `below`, and else a second queue, from the back
};

// Traits of the variants (gpu/catalogue.def). Every variant but one that only_splits does
// `passing`.
struct EnqueueTrait {
  static constexpr unsigned two_items = 1;    // does up_to_two as well
  static constexpr unsigned splits = 2;       // does split as well
  static constexpr unsigned only_splits = 4;  // does split alone
  static constexpr unsigned bounded = 8;      // the queue may be too small
};

// The test is cheap on purpose: what costs is to find a place in the queue.
struct EnqueueArgs {
  const std::uint32_t* in = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
  EnqueueMode mode = EnqueueMode::passing;
  std::uint32_t below = 0;
  std::uint32_t twice_below = 0;  // at most `below`

  // The queue lies in queue[0, capacity). What finds no place there is dropped, and nothing behind
  // it is written. Split: `capacity` is n; the second queue's k-th item is queue[n - 1 - k].
  std::uint32_t* queue = nullptr;
  std::uint32_t capacity = 0;
  // counts[0] items wanted into the queue, also where fewer fit; counts[1] into the second one.
  // 8-byte aligned, overwritten.
  std::uint32_t* counts = nullptr;
};

}  // namespace warpview
