#include "app/step_views/locks.h"

#include <algorithm>
#include <bit>

#include "app/step_views/arrays.h"
#include "gpu/faults/faults.h"
#include "gpu/recording/replay.h"

namespace warpview::step_views {
namespace {

// Is there such an access to the first word of an element, or at a later byte of it?
bool has_access(const Recording& recording, std::uint32_t array, EventKind kind,
                std::uint32_t stride, std::uint32_t offset = 0) {
  return std::any_of(
      recording.events.begin(), recording.events.end(), [&](const RecordedEvent& event) {
        return event.kind == kind && event.subject == array && event.offset % stride == offset;
      });
}

// Records the phases of lanes, event by event.
class Finder {
 public:
  Finder(const Recording& recording, const LockKind& kind)
      : recording_(recording), kind_(kind), replay_(recording) {}

  std::vector<LockedLaunch> run() {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::launch) {
        end_launch(i);
        launches_.push_back({.begin = i, .lanes = {}, .locks = {}, .most_waiting = {}});
      }
      if (!launches_.empty()) look_at(i, event);
      replay_.step();
    }
    end_launch(recording_.events.size());
    return std::move(launches_);
  }

 private:
  void look_at(std::size_t i, const RecordedEvent& event) {
    if (event.kind == EventKind::back_off) {
      if (const auto found = lanes_.find({event.block, event.thread}); found != lanes_.end())
        found->second.sleeps.push_back(i);
      return;
    }
    if (!is_access(event.kind) || event.subject != kind_.array || event.continues) return;
    switch (kind_.word) {
      case LockKind::Word::whole:
        if (event.offset % kind_.stride == 0 && event.bytes == 4) whole(i, event);
        break;
      case LockKind::Word::bit:
        if (event.bytes == 4) bit(i, event);
        break;
      case LockKind::Word::no_lock:
        if (is_atomic(event.kind)) no_lock(i, event);
        break;
    }
  }

  void whole(std::size_t i, const RecordedEvent& event) {
    const std::uint32_t lock = event.offset / kind_.stride;
    const std::uint64_t before = replay_.value_before();
    if (event.kind == EventKind::exchange) {
      before == 0 ? enter(i, event, lock) : fail(i, event, lock);
    } else if (event.kind == EventKind::store_relaxed && event.value == 0) {
      leave(i, event, lock);
    } else if (event.kind == EventKind::load_relaxed && event.value != 0) {
      fail(i, event, lock);  // it reads the lock before it tries to acquire it
    }
  }

  void bit(std::size_t i, const RecordedEvent& event) {
    const std::uint64_t before = replay_.value_before();
    const std::uint64_t changed = before ^ event.value;
    const auto lock = event.offset / 4 * 32 + static_cast<std::uint32_t>(std::countr_zero(changed));
    if (event.kind == EventKind::bit_or && changed != 0) enter(i, event, lock);
    if (event.kind == EventKind::bit_and && changed != 0) leave(i, event, lock);
  }

  void no_lock(std::size_t i, const RecordedEvent& event) {
    const std::uint32_t element = event.offset / kind_.stride;
    const LockLane& lane = lane_of(event);
    if (lane.moments.empty() || lane.moments.back().phase != LockPhase::inside)
      enter(i, event, element);
    else if (event.offset % kind_.stride == kind_.last_offset)
      leave(i, event, element);
  }

  LockLane& lane_of(const RecordedEvent& event) {
    LockLane& lane = lanes_[{event.block, event.thread}];
    lane.block = event.block;
    lane.thread = event.thread;
    return lane;
  }
  void enter(std::size_t i, const RecordedEvent& event, std::uint32_t lock) {
    LockLane& lane = lane_of(event);
    stop_waiting(lane);
    lane.moments.push_back({i, LockPhase::inside, lock, outer_of(event)});
    if (kind_.nests) held_[{event.block, event.thread}].push_back(lock);
    used(lock);
    ++uses_[lock];
    if (kind_.is_for_warp) end_search(i, event);
  }
  void leave(std::size_t i, const RecordedEvent& event, std::uint32_t lock) {
    if (kind_.nests) std::erase(held_[{event.block, event.thread}], lock);
    lane_of(event).moments.push_back({i, LockPhase::apart, lock, outer_of(event)});
  }
  // The lock that the lane acquired last and still holds.
  std::optional<std::uint32_t> outer_of(const RecordedEvent& event) const {
    const auto held = held_.find({event.block, event.thread});
    if (held == held_.end() || held->second.empty()) return std::nullopt;
    return held->second.back();
  }
  void fail(std::size_t i, const RecordedEvent& event, std::uint32_t lock) {
    LockLane& lane = lane_of(event);
    lane.failures.push_back(i);
    if (!lane.moments.empty() && lane.moments.back().phase == LockPhase::waiting &&
        lane.moments.back().lock == lock)
      return;
    stop_waiting(lane);
    lane.moments.push_back({i, LockPhase::waiting, lock, outer_of(event)});
    used(lock);
    std::uint32_t& most = launches_.back().most_waiting[lock];
    most = std::max(most, ++waiting_[lock]);
  }
  void stop_waiting(const LockLane& lane) {
    if (!lane.moments.empty() && lane.moments.back().phase == LockPhase::waiting)
      --waiting_[lane.moments.back().lock];
  }
  // The other lanes of the warp stop waiting once one lane has acquired a lock.
  void end_search(std::size_t i, const RecordedEvent& event) {
    const std::uint32_t first = event.thread - event.thread % recording_.warp_size;
    for (auto at = lanes_.lower_bound({event.block, first});
         at != lanes_.end() && at->first < std::pair(event.block, first + recording_.warp_size);
         ++at) {
      LockLane& lane = at->second;
      if (lane.moments.empty() || lane.moments.back().phase != LockPhase::waiting) continue;
      stop_waiting(lane);
      lane.moments.push_back({i, LockPhase::apart, lane.moments.back().lock});
    }
  }
  void used(std::uint32_t lock) {
    auto& most = launches_.back().most_waiting;
    if (most.try_emplace(lock, 0).second) launches_.back().locks.push_back(lock);
  }

  void end_launch(std::size_t end) {
    if (launches_.empty()) return;
    LockedLaunch& launch = launches_.back();
    launch.end = end;
    for (auto& [key, lane] : lanes_) launch.lanes.push_back(std::move(lane));
    lanes_.clear();
    held_.clear();
    waiting_.clear();
    const auto waited_for = [&](std::uint32_t lock) {
      return std::pair(launch.most_waiting.at(lock), uses_[lock]);
    };
    std::stable_sort(
        launch.locks.begin(), launch.locks.end(),
        [&](std::uint32_t a, std::uint32_t b) { return waited_for(a) > waited_for(b); });
    uses_.clear();
  }

  const Recording& recording_;
  const LockKind& kind_;
  Replay replay_;
  std::vector<LockedLaunch> launches_;
  // In this launch, by block and thread.
  std::map<std::pair<std::uint32_t, std::uint32_t>, LockLane> lanes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> held_;
  std::map<std::uint32_t, std::uint32_t> waiting_;  // lanes now, by lock
  std::map<std::uint32_t, std::uint32_t> uses_;     // by lock
};

}  // namespace

std::optional<LockKind> lock_kind(const Recording& recording) {
  if (recording.primitive == "lock") {
    const auto tallies = find_array(recording, "tallies", 16);
    if (const auto locks = find_array(recording, "locks", 4);
        locks && has_access(recording, *locks, EventKind::exchange, 4))
      return LockKind{.array = *locks, .guarded = tallies};
    if (tallies && has_access(recording, *tallies, EventKind::add, 16) &&
        has_access(recording, *tallies, EventKind::add, 16, 8))
      return LockKind{.word = LockKind::Word::no_lock,
                      .array = *tallies,
                      .stride = 16,
                      .last_offset = 8,
                      .guarded = tallies};
  } else if (recording.primitive == recorded_as_fault) {
    if (const auto locks = find_array(recording, "locks", 4);
        locks && has_access(recording, *locks, EventKind::exchange, 4))
      return LockKind{.array = *locks, .nests = true, .guarded = find_array(recording, "out", 4)};
  } else if (recording.primitive == "pool") {
    const auto marks = find_array(recording, "marks", 4);
    if (!marks) return std::nullopt;
    const auto owners = find_array(recording, "owners", 4);
    if (has_access(recording, *marks, EventKind::exchange, 4))
      return LockKind{.array = *marks, .is_for_warp = true, .guarded = owners};
    if (has_access(recording, *marks, EventKind::bit_or, 4))
      return LockKind{
          .word = LockKind::Word::bit, .array = *marks, .is_for_warp = true, .guarded = owners};
  } else if (recording.primitive == "queue") {
    if (const auto state = find_array(recording, "state", 256);
        state && has_access(recording, *state, EventKind::exchange, 256))
      return LockKind{.array = *state, .stride = 256, .guarded = state};
  }
  return std::nullopt;
}

LockMoment LockLane::at(std::size_t limit) const {
  const auto behind = std::partition_point(moments.begin(), moments.end(),
                                           [&](const LockMoment& m) { return m.from < limit; });
  return behind == moments.begin() ? LockMoment{} : *std::prev(behind);
}

std::size_t LockLane::count(const std::vector<std::size_t>& events, std::size_t from,
                            std::size_t limit) {
  const auto begin = std::lower_bound(events.begin(), events.end(), from);
  const auto end = std::lower_bound(begin, events.end(), limit);
  return static_cast<std::size_t>(end - begin);
}

std::vector<LockedLaunch> find_locked_launches(const Recording& recording, const LockKind& kind) {
  return Finder(recording, kind).run();
}

}  // namespace warpview::step_views
