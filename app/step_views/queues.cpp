#include "app/step_views/queues.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

#include "app/step_views/arrays.h"
#include "gpu/recording/replay.h"

namespace warpview::step_views {
namespace {

constexpr std::uint32_t no_index = 0xffffffffU;  // in a place: free

// Notes what lanes do with queues, event by event.
class QueueFinder {
 public:
  QueueFinder(const Recording& recording, const QueueArrays& arrays)
      : recording_(recording),
        arrays_(arrays),
        appended_(find_array(recording, "appended", 4)),
        taken_(find_array(recording, "taken", 4)),
        replay_(recording) {}

  std::vector<std::vector<QueueLane>> run() {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::launch) {
        end_launch();
        has_launch_ = true;
      }
      if (has_launch_) look_at(i, event);
      replay_.step();
    }
    end_launch();
    return std::move(launches_);
  }

 private:
  struct Run {
    QueueLane lane;
    std::optional<std::size_t> unknown{};  // the first moment of an operation of unknown direction
    bool undoes = false;                   // the next change of the count undoes the last
    std::uint32_t moved = 0;               // of the numbers that were drawn together
  };

  void look_at(std::size_t i, const RecordedEvent& event) {
    if (event.kind == EventKind::exit) return give_up(i, event, false);
    if (event.kind == EventKind::answer) return vote(i, event);
    is_ballot_ = event.kind == EventKind::ballot;
    if (!is_access(event.kind) || event.continues) return;
    if (event.subject == arrays_.words && arrays_.kind != QueueArrays::Places::locked)
      return words(i, event);
    if (arrays_.kind == QueueArrays::Places::tickets && event.subject == arrays_.tickets) {
      if (event.kind == EventKind::store_release) ticket(i, event);
    } else if (arrays_.kind != QueueArrays::Places::none && event.subject == arrays_.places) {
      arrays_.kind == QueueArrays::Places::indices ? index(i, event) : ring(i, event);
    } else if (appended_ && event.subject == *appended_ && event.kind == EventKind::write) {
      give_up(i, event, true);
    } else if (taken_ && event.subject == *taken_ && event.kind == EventKind::write) {
      give_up(i, event, false);
    }
  }

  // Where one lane asks for its warp, the lanes that are in no operation and vote true want one.
  void vote(std::size_t i, const RecordedEvent& event) {
    if (!arrays_.asks_by_warps || !is_ballot_ || event.other == 0) return;
    Run& run = of(event);
    if (phase(run) == QueuePhase::apart || phase(run) == QueuePhase::refused)
      push(run, {.from = i, .phase = QueuePhase::asks}, {});
  }

  void words(std::size_t i, const RecordedEvent& event) {
    const std::uint32_t queue = event.offset / QueueArrays::word_bytes;
    const std::uint32_t offset = event.offset % QueueArrays::word_bytes;
    Run& run = of(event);
    if (event.kind == EventKind::load_relaxed) {
      if (offset == 0 && !arrays_.asks_by_warps &&
          (phase(run) != QueuePhase::asks || last(run).queue != queue))
        push(run, {.from = i, .phase = QueuePhase::asks, .queue = queue}, {});
      return;
    }
    if (!is_atomic(event.kind) || event.bytes != 4) return;
    const auto before = static_cast<std::uint32_t>(replay_.value_before());
    const auto after = static_cast<std::uint32_t>(event.value);
    if (offset == 0) {
      change_count(i, run, queue, static_cast<std::int32_t>(before),
                   static_cast<std::int32_t>(after));
    } else if (offset == QueueArrays::tail_offset || offset == QueueArrays::head_offset) {
      const bool is_append = offset == QueueArrays::tail_offset;
      const bool is_all = arrays_.kind == QueueArrays::Places::none;
      run.moved = 0;
      push(run,
           {.from = i,
            .phase = is_all ? QueuePhase::moves : QueuePhase::waits,
            .is_brief = is_all,
            .queue = queue,
            .number = before,
            .count = std::max(after - before, 1U)},
           is_append);
    }
  }

  void change_count(std::size_t i, Run& run, std::uint32_t queue, std::int32_t before,
                    std::int32_t after) const {
    if (std::exchange(run.undoes, false)) return;
    const bool is_append = after > before;
    const bool is_admitted =
        arrays_.kind == QueueArrays::Places::none ||
        (is_append ? before < static_cast<std::int32_t>(arrays_.capacity) : after >= 0);
    run.undoes = !is_admitted;
    if (is_admitted || phase(run) != QueuePhase::asks)
      push(run,
           {.from = i,
            .phase = is_admitted ? QueuePhase::promised : QueuePhase::asks,
            .queue = queue},
           is_append);
    else
      know(run, is_append);
  }

  void ring(std::size_t i, const RecordedEvent& event) {
    const bool is_append = event.kind == EventKind::write;
    if (!is_append && event.kind != EventKind::read) return;
    Run& run = of(event);
    const bool is_locked = arrays_.kind == QueueArrays::Places::locked;
    const std::uint32_t element = event.offset / 4;
    push(run,
         {.from = i,
          .phase = QueuePhase::moves,
          .is_brief = is_locked,
          .queue = element / arrays_.capacity,
          .number = is_locked ? element : last(run).number,
          .count = last(run).count,
          .item = static_cast<std::uint32_t>(event.value)},
         is_append);
  }

  void ticket(std::size_t i, const RecordedEvent& event) {
    Run& run = of(event);
    if (phase(run) != QueuePhase::moves) return;
    QueueMoment next = last(run);
    next.from = i;
    const bool is_all = ++run.moved >= next.count;
    next.phase = is_all ? QueuePhase::apart : QueuePhase::waits;
    push(run, next, next.is_append);
  }

  void index(std::size_t i, const RecordedEvent& event) {
    Run& run = of(event);
    const auto before = static_cast<std::uint32_t>(replay_.value_before());
    const auto after = static_cast<std::uint32_t>(event.value);
    const bool puts =
        event.kind == EventKind::compare_exchange && before == no_index && after != no_index;
    const bool takes = event.kind == EventKind::exchange && before != no_index;
    if (!puts && !takes) return;
    push(run,
         {.from = i,
          .phase = QueuePhase::moves,
          .is_brief = true,
          .number = last(run).number,
          .item = puts ? after : before},
         puts);
  }

  // The operation is over: it was refused if it has moved nothing.
  void give_up(std::size_t i, const RecordedEvent& event, bool is_append) {
    const auto found = lanes_.find({event.block, event.thread});
    if (found == lanes_.end() || phase(found->second) != QueuePhase::asks) return;
    push(found->second,
         {.from = i,
          .phase = QueuePhase::refused,
          .is_brief = true,
          .queue = last(found->second).queue},
         is_append);
  }

  Run& of(const RecordedEvent& event) {
    Run& run = lanes_[{event.block, event.thread}];
    run.lane.block = event.block;
    run.lane.thread = event.thread;
    return run;
  }
  static QueueMoment last(const Run& run) {
    return run.lane.moments.empty() ? QueueMoment{} : run.lane.moments.back();
  }
  static QueuePhase phase(const Run& run) { return last(run).phase; }
  // What an operation is shows only when it changes something: then its moments before are known.
  static void know(Run& run, bool is_append) {
    if (!run.unknown) return;
    for (std::size_t k = *run.unknown; k < run.lane.moments.size(); ++k)
      run.lane.moments[k].is_append = is_append;
    run.unknown.reset();
  }
  static void push(Run& run, QueueMoment moment, std::optional<bool> is_append) {
    if (is_append) {
      know(run, *is_append);
      moment.is_append = *is_append;
    } else if (!run.unknown) {
      run.unknown = run.lane.moments.size();
    }
    run.lane.moments.push_back(moment);
  }
  void end_launch() {
    if (!has_launch_) return;
    std::vector<QueueLane> lanes;
    for (auto& [key, run] : lanes_) lanes.push_back(std::move(run.lane));
    lanes_.clear();
    launches_.push_back(std::move(lanes));
  }

  const Recording& recording_;
  const QueueArrays& arrays_;
  std::optional<std::uint32_t> appended_, taken_;
  bool is_ballot_ = false;  // the answers that come are of votes
  Replay replay_;
  bool has_launch_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Run> lanes_;
  std::vector<std::vector<QueueLane>> launches_;
};

}  // namespace

std::optional<QueueArrays> queue_arrays(const Recording& recording) {
  if (recording.primitive != "queue") return std::nullopt;
  using Places = QueueArrays::Places;
  QueueArrays found;
  const auto ring = find_array(recording, "ring", 4);
  const auto elements = [&](std::uint32_t array) { return elements_of(recording.arrays[array]); };
  if (const auto state = find_array(recording, "state", QueueArrays::word_bytes); state && ring) {
    found = {.kind = Places::locked, .words = *state, .places = *ring};
  } else if (const auto words = find_array(recording, "words", QueueArrays::word_bytes)) {
    found.words = *words;
    found.queues = elements(*words);
    if (const auto tickets = find_array(recording, "tickets", 4); tickets && ring) {
      if (elements(*tickets) != elements(*ring)) return std::nullopt;
      found.kind = Places::tickets;
      found.asks_by_warps = recording.variant == "broker_limited";
      found.places = *ring;
      found.tickets = *tickets;
    } else if (const auto indices = find_array(recording, "places", 4)) {
      found.kind = Places::indices;
      found.places = *indices;
    }
  } else {
    return std::nullopt;
  }
  if (found.kind == Places::none) return found;
  const std::uint32_t places = elements(found.places);
  found.capacity = places / found.queues;
  if (found.capacity * found.queues != places || !std::has_single_bit(found.capacity))
    return std::nullopt;
  return found;
}

QueueMoment QueueLane::at(std::size_t limit) const {
  const auto behind = std::partition_point(moments.begin(), moments.end(),
                                           [&](const QueueMoment& m) { return m.from < limit; });
  return behind == moments.begin() ? QueueMoment{} : *std::prev(behind);
}

std::vector<std::vector<QueueLane>> find_queue_lanes(const Recording& recording,
                                                     const QueueArrays& arrays) {
  return QueueFinder(recording, arrays).run();
}

}  // namespace warpview::step_views
