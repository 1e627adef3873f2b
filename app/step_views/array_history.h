// When each array of a recording is accessed over the whole run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/recording/playback.h"

namespace warpview::step_views {

class ArrayHistory {
 public:
  explicit ArrayHistory(const Recording& recording);

  // Does the current or last launch access the array, or does the host write it after that launch?
  // Before the first launch: before or in that launch.
  bool is_used_now(const Playback& at, std::uint32_t array) const;
  // The last event before `event` that accessed or wrote the array; `block` is 0 for device memory.
  std::optional<std::size_t> last_access(std::uint32_t array, std::uint32_t block,
                                         std::size_t before_event) const;
  std::optional<std::size_t> last_write(std::uint32_t array, std::uint32_t block,
                                        std::size_t before_event) const;
  // The value of a written word before the write; 0 for other events.
  std::uint64_t value_before(std::size_t event) const { return before_[event]; }
  // As many letters as the widest of the array's values ever has in decimal, from what it begins
  // with and what is written; all bits set are "2^32-1" or "2^64-1". 0 where it does not hold
  // integers.
  unsigned letters(std::uint32_t array) const { return letters_[array]; }

 private:
  struct Times {
    std::vector<std::uint32_t> accesses, writes;  // events
  };
  void note(std::uint32_t array, std::uint32_t block, std::size_t event, bool writes);
  void note_before(const Recording& recording);
  void note_letters(const Recording& recording);

  std::map<std::pair<std::uint32_t, std::uint32_t>, Times> times_;  // by array and block
  std::vector<std::uint64_t> before_;                               // by event
  std::vector<unsigned> letters_;                                   // by array
  std::vector<std::size_t> launches_;                               // events
  std::vector<std::vector<bool>> used_;  // by launch, from 1 (0: before the first), and array
};

}  // namespace warpview::step_views
