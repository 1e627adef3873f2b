// Ways for data to get from the host to a kernel and back.
#pragma once

#include <cstdint>

namespace warpview {

// What host and device do with the words.
enum class MemoryTask {
  // out[i] = 3 in[i] + 1. The input lies where the host left it, and at the end the output lies
  // where the host can read it.
  round_trip,
  // Both read the input, by turns, and neither writes it: in each of `memory_turns` turns the host
  // adds up `memory_sum`, and then the device makes out[i] = 3 in[i] + 1 + that sum.
  table,
  // Both change the words, by turns: in each of `memory_turns` turns the device makes
  // x[i] = 3 x[i] + 1, and then the host adds 1 to the first word of each page. x is `in` at first
  // and `out` at last.
  turns
};
inline constexpr std::uint32_t memory_turns = 4;
// The smallest page there is, in words: what is looked at once for each page is looked at once for
// so many words.
inline constexpr std::uint32_t memory_page = 1024;

// The sum of the first words of all pages, modulo 2^32.
inline std::uint32_t memory_sum(const volatile std::uint32_t* words, std::uint32_t n) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < n; i += memory_page) sum += words[i];
  return sum;
}
// The host's part of a turn. `words` may be a piece that begins with a page.
inline void memory_touch(std::uint32_t* words, std::uint32_t n) {
  for (std::uint64_t i = 0; i < n; i += memory_page) ++words[i];
}

// What the driver is told of the pages of managed memory that both sides look at, the input of
// `table` and the words of `turns`.
enum class MemoryAdvice {
  none,
  preferred,    // they should live on the device
  accessed_by,  // the device shall be able to reach them wherever they are
  read_mostly   // each side may have a copy
};

// Traits of the variants (gpu/catalogue.def).
struct MemoryTrait {
  static constexpr unsigned takes_turns = 1;  // the tasks table and turns, too
  static constexpr unsigned only_turns = 2;   // no other task than turns
  static constexpr unsigned advised = 4;      // takes advice
};

// The variant `static` has arrays of so many words, whatever it is asked for.
inline constexpr std::uint32_t memory_static_words = 1U << 20U;

// All of it modulo 2^32, of two arrays of the host. A run may wait for its stream. `in` and `out`
// are ordinary host memory and do not overlap. A variant that keeps the arrays in memory of its own
// takes the input when it is prepared or reset, and its `fetch` copies the output to `out`.
struct MemoryArgs {
  MemoryTask task = MemoryTask::round_trip;
  MemoryAdvice advice = MemoryAdvice::none;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
