// The order in which the lanes of the recorded build go on. Where a block can go on, all of its
// lanes have either stopped before an access or wait for others. Lanes of a warp that stand at one
// place make that access together: this is a step. The place that comes first in the code is
// served first, so that lanes which took different ways meet behind them. (This is how hardware
// without a stack of masks reconverges: S. Collange, "Stack-less SIMT reconvergence at low cost",
// 2011.) Now and then the seed decides instead: which block, which warp, and which of its lanes.
#include <utility>

#include "gpu/simt/counting.h"
#include "gpu/simt/recorded/recorder.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {

void Worker::wait_for_access(std::uintptr_t place, bool is_global) {
  LaneState& lane = this->lane();
  steps_.accessing[lane.warp] |= LaneMask{1} << lane.lane;
  steps_.places[lane.number] = place;
  if (is_global) steps_.global[lane.warp] |= LaneMask{1} << lane.lane;
  suspend(lane);
}

Fiber& Worker::choose_step() {
  recording::complete_access();
  if (recording::why_full() != nullptr) give_up_recording();
  if (recording::interleave() == 0) return choose_next();
  for (;;) {
    if (job_->aborted.load(std::memory_order_relaxed)) return home_;
    if (runnable_.size() > 0) {
      LaneState& lane = goes_on(runnable_.take_first());
      current_lane = &lane;
      return lane.fiber;
    }
    if (started_ < size_) {
      running_stack_ = take_stack();
      fresh_ = make_fiber(stacks_[running_stack_], &fiber_entry);
      return fresh_;
    }
    if (steps_.left != 0) {
      LaneState& lane = lanes_of(steps_.warp)[__builtin_ctzll(steps_.left)];
      steps_.left &= steps_.left - 1;
      current_lane = &lane;
      return lane.fiber;
    }
    if (std::exchange(steps_.was_global, false) && random_.below(recording::interleave()) == 0) {
      steps_.was_drawn = true;
      retry_spinning();
      counting::pass_turn(number_);
      continue;
    }
    if (begin_step() || release_gathered()) continue;
    if (spinning_.empty() && late_.empty()) report_stuck();
    idle_round();
    retry_spinning();
  }
}

// Aborts a run that the recording does not hold.
void Worker::give_up_recording() {
  try {
    recording::refuse_if_full();
  } catch (...) {
    job_->fail();
  }
}

// Chooses the lanes of the next step. Is there one?
bool Worker::begin_step() {
  const unsigned warps = warp_count();
  const bool drawn = std::exchange(steps_.was_drawn, false);
  if (drawn) steps_.warp = random_.below(warps);
  if (steps_.warp >= warps) steps_.warp = 0;
  unsigned tried = 0;
  while (steps_.accessing[steps_.warp] == 0 && ++tried <= warps)
    steps_.warp = (steps_.warp + 1) % warps;
  const LaneMask all = steps_.accessing[steps_.warp];
  if (all == 0) return false;
  const LaneState* const lanes = lanes_of(steps_.warp);
  const auto place_of = [&](LaneMask rest) {
    return steps_.places[lanes[__builtin_ctzll(rest)].number];
  };
  std::uintptr_t place = place_of(all);
  if (drawn) {
    LaneMask some = all & random_.lanes();
    if (some != 0) place = place_of(some);
  } else {
    for (LaneMask rest = all; rest != 0; rest &= rest - 1) place = std::min(place, place_of(rest));
  }
  LaneMask step = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1)
    if (place_of(rest) == place) step |= rest & -rest;
  steps_.left = step;
  steps_.was_global = (steps_.global[steps_.warp] & step) != 0;
  steps_.accessing[steps_.warp] &= ~step;
  steps_.global[steps_.warp] &= ~step;
  const Warp& warp = warps_[steps_.warp];
  recording::step(lanes->number, step, warp.existing & ~warp.exited, place);
  return true;
}

}  // namespace warpview::simt
