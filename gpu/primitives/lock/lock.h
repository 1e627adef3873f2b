// Many threads add to shared data that no single atomic can change.
#pragma once

#include <cstdint>

namespace warpview {

// Three words that belong together: a reader sees all of an item or nothing of it.
struct Tally {
  std::uint32_t count;
  std::uint32_t largest;
  std::uint64_t sum;
};

// Adds every item to a tally: items[i] to tallies[items[i] % tally_count]. Sums wrap modulo 2^64.
// The tallies keep what they hold at the start. There is at least one.
struct LockArgs {
  const std::uint32_t* items = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
  Tally* tallies = nullptr;
  std::uint32_t tally_count = 1;
};

}  // namespace warpview
