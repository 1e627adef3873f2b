// The slot of the output to which each item of a compaction or an expansion is written, found in a
// recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// A lane writes an item to a slot.
struct Landing {
  std::size_t event = 0;
  std::uint32_t item = 0, slot = 0;
  std::uint32_t block = 0, thread = 0;
  // The first of the slots that its lane, warp or block has reserved. None if the kernel reserves
  // no slots, and for the second of two queues, which grows from the back.
  std::optional<std::uint32_t> offset{};
};

struct Landings {
  std::uint32_t input = 0, output = 0;   // arrays of 4-byte words
  std::optional<std::uint32_t> counter;  // the array whose first word counts
  bool is_expansion = false;             // an item's value is its number of slots
  bool keeps_order = false;              // slots are in the order of the items
  std::uint32_t items = 0, slots = 0;    // slots: up to the last written one
  // Slots below `front` are filled from the front, the others, if any, from the back.
  std::uint32_t front = UINT32_MAX;
  bool has_back = false;
  std::vector<Landing> all{};  // in the order of execution
  std::vector<std::size_t>
      read{};  // by item: the first event that reads it; the number of events: none
};

// None if the recording is not of enqueue, select, partition or expand, or no lane writes an item.
std::optional<Landings> landings_of(const Recording& recording);

}  // namespace warpview::step_views
