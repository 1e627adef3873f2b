// The queues of a recording: their places, and what each lane does with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// The arrays of primitive queue's variants (gpu/primitives/queue). `words` has a count at byte 0,
// the head at 128 and the tail at 132 of each queue's 256 bytes.
struct QueueArrays {
  enum class Places : std::uint8_t {
    none,     // counts: numbers alone
    tickets,  // broker.h: a ring, and a ticket for each of its places
    indices,  // index.h: a place holds an index or 2^32 - 1
    locked    // locked.cu: a ring between head and tail, without a count
  };
  Places kind = Places::none;
  std::uint32_t words = 0;
  std::uint32_t places = 0;   // the ring, or the places
  std::uint32_t tickets = 0;  // if there are tickets
  std::uint32_t queues = 1;
  std::uint32_t capacity = 0;  // places of each queue
  // broker_limited: one lane asks for its warp, and byte 4 of `words` counts operations in flight.
  bool asks_by_warps = false;

  static constexpr std::uint32_t word_bytes = 256, operations_offset = 4, head_offset = 128,
                                 tail_offset = 132;
};
// None for other primitives, and where the arrays are not as those kernels have them.
std::optional<QueueArrays> queue_arrays(const Recording& recording);

enum class QueuePhase : std::uint8_t {
  apart,
  asks,      // looks at the count, which may not admit it
  promised,  // the count has admitted it
  waits,     // has drawn a number; waits until the number's place may be filled or emptied
  moves,     // puts an item into the place, or takes it out
  refused    // gives up
};

// From event `from` on the lane is in this phase.
struct QueueMoment {
  std::size_t from = 0;
  QueuePhase phase = QueuePhase::apart;
  bool is_append = false;
  bool is_brief = false;  // over when the step is
  std::uint32_t queue = 0;
  std::uint32_t number = 0;  // of waits and moves
  std::uint32_t count = 1;   // numbers that were drawn together
  std::uint32_t item = 0;    // of moves
};

struct QueueLane {
  std::uint32_t block = 0, thread = 0;
  std::vector<QueueMoment> moments;
  QueueMoment at(std::size_t limit) const;  // before event `limit`
};

// The lanes of each launch that use a queue, by block and thread.
std::vector<std::vector<QueueLane>> find_queue_lanes(const Recording& recording,
                                                     const QueueArrays& arrays);

}  // namespace warpview::step_views
