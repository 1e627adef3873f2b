// Threads append to a queue and take from it in one launch.
#pragma once

#include <cstdint>

namespace warpview {

// What a thread does in its turns.
enum class QueueOrder : std::uint32_t {
  alternating,    // it appends and takes in each
  appends_first,  // it appends in all of them, and then takes in all of them
  by_warps        // the even warps append, the odd ones take
};

// Traits of the variants (gpu/catalogue.def).
struct QueueTrait {
  // What a thread takes of the items that one thread appended at one level comes in their order.
  static constexpr unsigned fifo = 1;
  // An append is refused only if the queue was full at a moment meanwhile, a take only if it was
  // empty.
  static constexpr unsigned linearizable = 2;
  static constexpr unsigned only_counts = 4;  // a yardstick that is no queue
  static constexpr unsigned takes_four = 8;   // together, for four threads, or none
  static constexpr unsigned two_levels = 16;  // of priority
  static constexpr unsigned eight_levels = 32;
};
// The level of an item, 0 before all others, where there are so many.
constexpr std::uint32_t queue_level(std::uint32_t item, std::uint32_t levels) {
  return item % levels;
}

// What a turn took: no item has this number.
inline constexpr std::uint32_t queue_nothing = 0xffffffffU;

// Turn i, one of n, is thread i % threads's, and a thread has its turns in order. In turn i it
// appends the item i, if i is a multiple of `every`, and takes an item, both once and as far as the
// order says: what is refused is left.
//
// A variant that only_counts takes the numbers 0, 1, 2 and so on instead of items.
struct QueueArgs {
  std::uint32_t n = 0;  // at most 2^31 - 1
  std::uint32_t threads = 1;
  QueueOrder order = QueueOrder::alternating;
  std::uint32_t every = 1;
  std::uint32_t capacity = 1;  // of the queue: a power of two; some variants have more

  std::uint32_t* appended = nullptr;  // [n] 1 where an item was appended, else 0
  std::uint32_t* taken = nullptr;     // [n] the item or queue_nothing
  // [queue_room] The items that are still there, in any order, and behind them queue_nothing.
  std::uint32_t* left = nullptr;
  std::uint32_t* left_count = nullptr;  // how many; of what only_counts, appended less taken
  std::uint64_t* retries = nullptr;     // one word: how often an operation had to try again
};

// The most items that a queue may hold where so many places are asked for.
constexpr std::uint32_t queue_room(std::uint32_t capacity) { return capacity < 16 ? 16 : capacity; }

// The most turns where one thread after the other holds a lock: seconds of it.
inline constexpr std::uint32_t most_locked_turns = 1U << 20U;

}  // namespace warpview
