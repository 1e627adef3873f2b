// Memory: ways for data to get from the host to a kernel and back.
#pragma once

#include <cstdint>

namespace warpview {

// How host and device use the words.
enum class MemoryTask {
  // out[i] = 3 in[i] + 1. The input starts in the host's memory, and at the end the host can read
  // the output.
  round_trip,
  // Both read the input in turns, and neither writes it: in each of `memory_turns` turns the host
  // computes `memory_sum`, and then the device computes out[i] = 3 in[i] + 1 + that sum.
  table,
  // Both update the words in turns: in each of `memory_turns` turns the device computes
  // x[i] = 3 x[i] + 1, and then the host adds 1 to the first word of each page. x starts as `in`
  // and ends as `out`.
  turns
};
inline constexpr std::uint32_t memory_turns = 4;
// The smallest page, in words: what is done once per page is done once per this many words.
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

// The advice to the driver about the pages of managed memory that both sides access: the input of
// `table` and the words of `turns`.
enum class MemoryAdvice {
  none,
  preferred,    // they should reside on the device
  accessed_by,  // the device should have them mapped wherever they are
  read_mostly   // each side may have a copy
};

// Traits of the variants (gpu/catalogue.def).
struct MemoryTrait {
  static constexpr unsigned takes_turns = 1;  // the tasks table and turns, too
  static constexpr unsigned only_turns = 2;   // no other task than turns
  static constexpr unsigned advised = 4;      // takes advice
};

// The variant `static` has arrays of this many words, whatever the size of its task.
inline constexpr std::uint32_t memory_static_words = 1U << 20U;

// All results are modulo 2^32, for two host arrays. A run may wait for its stream. `in` and `out`
// are ordinary host memory and do not overlap. A variant with internal arrays takes the input when
// it is prepared or reset, and its `fetch` copies the output to `out`.
struct MemoryArgs {
  MemoryTask task = MemoryTask::round_trip;
  MemoryAdvice advice = MemoryAdvice::none;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
