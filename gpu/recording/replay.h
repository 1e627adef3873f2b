// Executes a recording again, event by event, on its own arrays.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview {

class Replay {
 public:
  // The recording must outlive it. It is one that was taken or read, so its indices are valid.
  explicit Replay(const Recording& recording);

  // The number of events that were executed.
  std::size_t at() const { return at_; }
  bool ended() const { return at_ == recording_->events.size(); }
  // Executes the next event. Returns how what a read found differs from the array's contents; empty
  // where it does not.
  std::string step();
  // Executes all that is left, and compares each array of device memory with what it held after the
  // recorded run. Returns the first difference; empty if there is none.
  std::string finish();

  // An array's contents now. Of a shared array those of one block, which runs.
  std::span<const std::uint8_t> contents(std::uint32_t array, std::uint32_t block = 0) const;
  // The bytes of an event's access before it; 0 for other events. It must be the next event.
  std::uint64_t value_before() const;

 private:
  std::vector<std::uint8_t>& memory(std::uint32_t array, std::uint32_t block);

  const Recording* recording_;
  std::size_t at_ = 0;
  std::vector<std::vector<std::uint8_t>> arrays_;  // of device memory
  // By array and block: shared memory of the blocks that run.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint8_t>> shared_;
};

}  // namespace warpview
