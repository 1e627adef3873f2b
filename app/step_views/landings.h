// Which item of a compaction or an expansion went to which slot of the output, read out of a
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
  // Where the slots begin that its lane, warp or block has reserved; none if the kernel reserves
  // none, or for the second of two queues, which grows from the back.
  std::optional<std::uint32_t> offset{};
};

struct Landings {
  std::uint32_t input = 0, output = 0;   // arrays of 4-byte words
  std::optional<std::uint32_t> counter;  // the array whose first word counts
  bool is_expansion = false;             // an item has as many slots as its value says
  bool keeps_order = false;              // slots are in the order of the items
  std::uint32_t items = 0, slots = 0;    // slots: up to the last that is written
  // Slots below `front` are filled from the front, the others, if any, from the back.
  std::uint32_t front = UINT32_MAX;
  bool has_back = false;
  std::vector<Landing> all{};       // in the order of execution
  std::vector<std::size_t> read{};  // by item: the event that reads it first; no event: never
};

// None if the recording is not of enqueue, select, partition or expand, or no lane writes an item.
std::optional<Landings> landings_of(const Recording& recording);

}  // namespace warpview::step_views
