// Many threads add 1 to counters.
#pragma once

#include <cstdint>

namespace warpview {

// Which words add to which counter.
enum class CounterTask {
  one,  // counts[0] = the number of words less than counter_limit
  many  // counts[k] = the number of words that are k modulo many_counters, for k < many_counters
};
inline constexpr std::uint32_t counter_limit = 0x80000000U;
inline constexpr std::uint32_t many_counters = 1024;

constexpr std::uint32_t counters_of(CounterTask task) {
  return task == CounterTask::one ? 1 : many_counters;
}

// One atomic per word: no kernel combines additions first, before it adds to a counter. (The
// compiler may, and does, for the lanes of a warp that add to the same counter.)
struct CounterArgs {
  CounterTask task = CounterTask::one;
  const std::uint32_t* in = nullptr;
  std::uint32_t n = 0;              // at most 2^31 - 1
  std::uint32_t* counts = nullptr;  // counters_of(task) words, set to 0 first
};

}  // namespace warpview
