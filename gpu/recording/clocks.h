// Vector clocks of the lanes of one launch: what each of them knows that the others have done.
//
// A lane's time counts its releases: an access at time t happened before everything whose clock
// holds t, or more, for that lane. A grid may have 100 000 lanes, and a clock with a number for
// each would be too large. Lanes of a block know the same of each other after a barrier, so a clock
// holds for each block of which it knows anything the times at one of the block's barriers, which
// all clocks share, and the lanes of which it knows more. (A. Eizenberg, Y. Peng, T. Pigli, W.
// Mansky, J. Devietti, BARRACUDA: Binary-level Analysis of Runtime RAces in CUDA programs, PLDI
// 2017, compresses clocks by blocks and warps too.) Clocks are never changed, so they are shared
// freely.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace warpview::races {

// A lane's place in the clocks: an index of its block, and an index in the block.
struct LaneIndex {
  std::uint32_t block = 0;
  std::uint32_t lane = 0;
  bool operator==(const LaneIndex&) const = default;
};
using LaneTime = std::pair<std::uint32_t, std::uint32_t>;  // a lane of a block and its time, from 1

class Clock;
using ClockRef = std::shared_ptr<const Clock>;  // null: nothing is known

class Clock {
 public:
  // The time up to which this clock knows the lane; 0: nothing.
  std::uint32_t time_of(LaneIndex lane) const;

  // What either knows. Returns one of them where it knows all that the other does.
  static ClockRef join(const ClockRef& a, const ClockRef& b);
  // With these times of a block's lanes, which ascend by lane.
  static ClockRef with(const ClockRef& clock, std::uint32_t block, std::span<const LaneTime> times);
  // The clock of all lanes behind a barrier of the block at which they know `joined` and the lanes
  // in `times` have arrived. `number` counts the block's barriers, from 1.
  static ClockRef behind_barrier(const ClockRef& joined, std::uint32_t block,
                                 std::span<const LaneTime> times, std::uint32_t number);

 private:
  // What is known of one block.
  struct View {
    std::uint32_t barrier = 0;  // the number of the barrier that `base` describes; 0: none
    std::shared_ptr<const std::vector<std::uint32_t>> base;  // times by lane at that barrier
    std::vector<LaneTime> above;                             // later times, ascending by lane

    std::uint32_t base_of(std::uint32_t lane) const {
      return base && lane < base->size() ? (*base)[lane] : 0;
    }
    std::uint32_t time_of(std::uint32_t lane) const;
    bool operator==(const View&) const = default;
  };
  using BlockView = std::pair<std::uint32_t, std::shared_ptr<const View>>;

  static std::shared_ptr<const View> join(const std::shared_ptr<const View>& a,
                                          const std::shared_ptr<const View>& b);
  const View* find(std::uint32_t block) const;
  // The clock with another view of the block.
  static ClockRef replace(const ClockRef& clock, std::uint32_t block,
                          std::shared_ptr<const View> view);

  std::vector<BlockView> views_;  // ascending by block
};

}  // namespace warpview::races
