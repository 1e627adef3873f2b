// Threads append to a queue and take from it in one launch.
#pragma once

#include <cstdint>

namespace warpview {

// What a thread does in its turns.
enum class QueueOrder : std::uint32_t {
  alternating,    // appends and takes in each turn
  appends_first,  // appends in all of them, and then takes in all of them
  by_warps,       // the even warps append, the odd ones take
  six_and_two     // of eight threads the first six append, the last two take
};
// Does the thread append, and not take? Only for the last two orders.
constexpr bool queue_thread_appends(QueueOrder order, std::uint32_t thread,
                                    std::uint32_t warp_size) {
  return order == QueueOrder::six_and_two ? thread % 8 < 6 : thread / warp_size % 2 == 0;
}

// What a thread wants of a queue.
enum class QueueWish : std::uint32_t { nothing, append, take };

// Traits of the variants (gpu/catalogue.def).
struct QueueTrait {
  // Items that one thread appended at one level come to each consumer in their order.
  static constexpr unsigned fifo = 1;
  // An append is refused only if the queue was full at a moment during the call, a take only if it
  // was empty.
  static constexpr unsigned linearizable = 2;
  static constexpr unsigned only_counts = 4;  // a baseline that is no queue
  static constexpr unsigned takes_four = 8;   // together, for four threads, or none
  static constexpr unsigned two_levels = 16;  // of priority
  static constexpr unsigned eight_levels = 32;
};
// The level of an item, of `levels` levels; level 0 comes first.
constexpr std::uint32_t queue_level(std::uint32_t item, std::uint32_t levels) {
  return item % levels;
}

// Result of a turn that took nothing: no item has this value.
inline constexpr std::uint32_t queue_nothing = 0xffffffffU;

// Turn i of n belongs to thread i % threads; a thread has its turns in order. In turn i it appends
// item i, if i is a multiple of `every`, and takes an item, as far as `order` says. Each is tried
// once: a refused operation is not repeated.
//
// A variant that only_counts takes the numbers 0, 1, 2, ... instead of items.
struct QueueArgs {
  std::uint32_t n = 0;  // at most 2^31 - 1
  std::uint32_t threads = 1;
  QueueOrder order = QueueOrder::alternating;
  std::uint32_t every = 1;
  std::uint32_t capacity = 1;  // of the queue: a power of two; some variants have more

  std::uint32_t* appended = nullptr;  // [n] 1 where an item was appended, else 0
  std::uint32_t* taken = nullptr;     // [n] the item or queue_nothing
  // [queue_room] The items left over, in any order, followed by queue_nothing.
  std::uint32_t* left = nullptr;
  std::uint32_t* left_count = nullptr;  // their number; with only_counts, appended less taken
  std::uint64_t* retries = nullptr;     // one word: how often operations had to try again
};

// The most items that a queue may hold if `capacity` places are requested.
constexpr std::uint32_t queue_room(std::uint32_t capacity) { return capacity < 16 ? 16 : capacity; }

// The most turns where threads hold a lock one after another: they take seconds.
inline constexpr std::uint32_t most_locked_turns = 1U << 20U;

}  // namespace warpview
