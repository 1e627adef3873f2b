#include "gpu/recording/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "gpu/recording/clocks.h"

namespace warpview {
namespace races {
namespace {

struct LaneState {
  LaneIndex index;
  std::uint32_t time = 1;
  ClockRef knows = nullptr;     // of other lanes
  ClockRef fenced = nullptr;    // what its last fence releases, its own time included
  ClockRef acquired = nullptr;  // what a fence would acquire
};

struct Block {
  std::vector<std::uint32_t> lanes;    // that have done anything, by their index in the block
  std::vector<std::uint32_t> arrived;  // at the barrier to come
  std::uint32_t barriers = 0;
};

// An access that was made.
struct Past {
  std::uint32_t lane = 0;
  std::uint32_t time = 0;  // 0: there is none
  std::uint32_t event = 0;
};

// The accesses of one kind to some bytes: the last one, as long as it comes after all others; else
// the last of each lane.
struct Accesses {
  Past last;
  std::unique_ptr<std::unordered_map<std::uint32_t, Past>> all = nullptr;
  ClockRef checked = nullptr;  // a clock that was found to know all of them
};

// Bytes that are always accessed together.
struct Cell {
  Accesses plain_writes, plain_reads, atomic_writes, atomic_reads;
  ClockRef released;  // what a lane that reads it acquires
};

// The accesses of an array must begin and end at multiples of this many bytes.
std::vector<std::uint32_t> granules_of(const Recording& recording) {
  std::vector<std::uint32_t> granules(recording.arrays.size(), 0);
  for (const RecordedEvent& event : recording.events) {
    if (!is_access(event.kind)) continue;
    std::uint32_t& granule = granules[event.subject];
    granule = std::gcd(granule, std::gcd(event.offset, std::uint32_t{event.bytes}));
  }
  return granules;
}

// Places by their innermost line: code that is inlined several times has several.
std::vector<std::uint32_t> lines_of(const Recording& recording) {
  std::vector<std::uint32_t> lines(recording.places.size());
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    lines[i] = i;
    if (const auto& chain = recording.places[i].chain; !chain.empty())
      lines[i] = known.try_emplace({chain.front().file, chain.front().line}, i).first->second;
  }
  return lines;
}

class Finder {
 public:
  explicit Finder(const Recording& recording)
      : recording_(recording), granules_(granules_of(recording)), lines_(lines_of(recording)) {}

  std::vector<Race> find() {
    const auto& events = recording_.events;
    for (std::size_t begin = 0; begin < events.size();) {
      std::size_t end = begin + 1;
      while (end < events.size() && events[end].kind != EventKind::launch) ++end;
      look_at_launch(begin, end);
      begin = end;
    }
    return std::move(races_);
  }

 private:
  void look_at_launch(std::size_t begin, std::size_t end) {
    blocks_.clear();
    block_of_.clear();
    lanes_.clear();
    lane_of_.clear();
    cells_.clear();
    written_.assign(recording_.arrays.size(), false);
    for (std::size_t i = begin; i < end; ++i)
      if (const RecordedEvent& event = recording_.events[i];
          is_access(event.kind) && !is_read(event.kind))
        written_[event.subject] = true;
    for (std::size_t i = begin; i < end; ++i) look_at(i);
  }

  void look_at(std::size_t number) {
    const RecordedEvent& event = recording_.events[number];
    if (is_access(event.kind)) {
      if (written_[event.subject]) access(number);
    } else if (event.kind == EventKind::arrive) {
      const std::uint32_t lane = lane_at(event.block, event.thread);
      blocks_[lanes_[lane].index.block].arrived.push_back(lane);
    } else if (event.kind == EventKind::barrier) {
      barrier(event.block);
    } else if (event.kind == EventKind::sync) {
      sync(event);
    } else if (event.kind == EventKind::fence) {
      fence(lanes_[lane_at(event.block, event.thread)]);
    } else if (event.kind == EventKind::block_end) {
      forget_shared_of(event.block);
    }
  }

  std::uint32_t index_of_block(std::uint32_t block) {
    const auto [found, is_new] =
        block_of_.try_emplace(block, static_cast<std::uint32_t>(blocks_.size()));
    if (is_new) blocks_.emplace_back();
    return found->second;
  }

  std::uint32_t lane_at(std::uint32_t block, std::uint32_t thread) {
    const auto [found, is_new] = lane_of_.try_emplace(std::uint64_t{block} << 32U | thread,
                                                      static_cast<std::uint32_t>(lanes_.size()));
    if (is_new) {
      const std::uint32_t b = index_of_block(block);
      auto& of_block = blocks_[b].lanes;
      lanes_.push_back({.index = {b, static_cast<std::uint32_t>(of_block.size())}});
      of_block.push_back(found->second);
    }
    return found->second;
  }

  // --- synchronisation

  // What all of these lanes know, and their times.
  std::pair<ClockRef, std::vector<LaneTime>> gather(std::vector<std::uint32_t>& lanes) {
    ClockRef all;
    std::vector<LaneTime> times;
    for (const std::uint32_t lane : lanes) {
      LaneState& state = lanes_[lane];
      all = Clock::join(all, state.knows);
      times.emplace_back(state.index.lane, state.time++);
    }
    std::sort(times.begin(), times.end());
    return {all, times};
  }

  void barrier(std::uint32_t number) {
    const std::uint32_t index = index_of_block(number);
    Block& block = blocks_[index];
    const auto [all, times] = gather(block.arrived);
    const ClockRef behind = Clock::behind_barrier(all, index, times, ++block.barriers);
    for (const std::uint32_t lane : block.arrived) lanes_[lane].knows = behind;
    block.arrived.clear();
  }

  void sync(const RecordedEvent& event) {
    std::vector<std::uint32_t> lanes;
    for (std::uint64_t rest = event.value; rest != 0; rest &= rest - 1)
      lanes.push_back(
          lane_at(event.block, event.thread + static_cast<std::uint32_t>(__builtin_ctzll(rest))));
    if (lanes.empty()) return;
    const auto [all, times] = gather(lanes);
    const ClockRef behind = Clock::with(all, lanes_[lanes.front()].index.block, times);
    for (const std::uint32_t lane : lanes) lanes_[lane].knows = behind;
  }

  // What the lane knows, itself included; its later accesses are not.
  static ClockRef release(LaneState& lane) {
    const LaneTime now[] = {{lane.index.lane, lane.time++}};
    return Clock::with(lane.knows, lane.index.block, now);
  }

  static void fence(LaneState& lane) {
    lane.knows = Clock::join(lane.knows, std::exchange(lane.acquired, nullptr));
    lane.fenced = release(lane);
  }

  // An atomic access to a cell. `released` is what a store_release releases, else null.
  static void synchronise(Cell& cell, LaneState& lane, EventKind kind, const ClockRef& released) {
    if (kind == EventKind::load_acquire)
      lane.knows = Clock::join(lane.knows, cell.released);
    else if (kind == EventKind::load_relaxed || is_atomic(kind))
      lane.acquired = Clock::join(lane.acquired, cell.released);
    if (is_atomic(kind))
      cell.released = Clock::join(cell.released, lane.fenced);
    else if (kind == EventKind::store_relaxed)
      cell.released = lane.fenced;
    else if (kind == EventKind::store_release)
      cell.released = released;
    else if (kind == EventKind::write)
      cell.released = nullptr;
  }

  // --- accesses

  bool is_known(const Past& past, const ClockRef& clock) const {
    return clock && clock->time_of(lanes_[past.lane].index) >= past.time;
  }
  bool is_before(const Past& past, const LaneState& lane) const {
    return past.time == 0 || lanes_[past.lane].index == lane.index || is_known(past, lane.knows);
  }

  // One of the accesses that is not ordered before what the lane does now.
  std::optional<Past> unordered(Accesses& past, const LaneState& lane) const {
    if (!past.all) return is_before(past.last, lane) ? std::nullopt : std::optional(past.last);
    if (lane.knows && past.checked == lane.knows) return {};
    std::optional<Past> found;
    bool knows_all = true;  // its own access too: others have the same clock
    for (const auto& [number, each] : *past.all) {
      if (is_known(each, lane.knows)) continue;
      knows_all = false;
      if (!is_before(each, lane) && (!found || each.event < found->event)) found = each;
    }
    if (knows_all) past.checked = lane.knows;
    return found;
  }

  void add(Accesses& past, const Past& access, const LaneState& lane) const {
    past.checked = nullptr;
    if (past.all) {
      (*past.all)[access.lane] = access;
    } else if (is_before(past.last, lane)) {
      past.last = access;
    } else {
      past.all = std::make_unique<std::unordered_map<std::uint32_t, Past>>();
      past.all->emplace(past.last.lane, past.last);
      past.all->emplace(access.lane, access);
    }
  }

  void access(std::size_t number) {
    const RecordedEvent& event = recording_.events[number];
    const RecordedArray& array = recording_.arrays[event.subject];
    const std::uint32_t index = lane_at(event.block, event.thread);
    LaneState& lane = lanes_[index];
    const Past now{index, lane.time, static_cast<std::uint32_t>(number)};
    const std::uint32_t granule = granules_[event.subject];
    const bool is_plain = event.kind == EventKind::read || event.kind == EventKind::write;
    const bool is_write = !is_read(event.kind);
    const ClockRef released = event.kind == EventKind::store_release ? release(lane) : ClockRef();
    auto& cells = cells_[{array.kind == ArrayKind::shared ? event.block : 0, event.subject}];
    bool found[4] = {};  // report one race of each kind, not one for each cell
    for (std::uint32_t at = event.offset; at < event.offset + event.bytes; at += granule) {
      Cell& cell = cells[at / granule];
      const auto check = [&](Accesses& past, bool& is_found) {
        const std::optional<Past> other = unordered(past, lane);
        if (other && !std::exchange(is_found, true))
          report(*other, number, at / array.element_bytes);
      };
      check(cell.plain_writes, found[0]);
      if (is_write) check(cell.plain_reads, found[1]);
      if (is_plain) check(cell.atomic_writes, found[2]);
      if (is_plain && is_write) check(cell.atomic_reads, found[3]);
      synchronise(cell, lane, event.kind, released);
      if (is_plain && is_write) {
        // What races with an earlier access races with this one, or comes behind it.
        cell.plain_writes.last = now;
        for (Accesses* const past : {&cell.plain_reads, &cell.atomic_writes, &cell.atomic_reads})
          *past = {};
      } else {
        add(is_plain   ? cell.plain_reads
            : is_write ? cell.atomic_writes
                       : cell.atomic_reads,
            now, lane);
      }
    }
  }

  void forget_shared_of(std::uint32_t block) {
    const auto first = cells_.lower_bound({block, 0});
    for (auto i = first; i != cells_.end() && i->first.first == block;)
      i = recording_.arrays[i->first.second].kind == ArrayKind::shared ? cells_.erase(i)
                                                                       : std::next(i);
  }

  void report(const Past& other, std::size_t number, std::uint32_t element) {
    const RecordedEvent& first = recording_.events[other.event];
    const RecordedEvent& second = recording_.events[number];
    const auto [known, is_new] = known_.try_emplace(
        {second.subject, lines_[first.place], lines_[second.place], first.kind, second.kind},
        races_.size());
    if (is_new)
      races_.push_back(
          {.array = second.subject, .element = element, .first = other.event, .second = number});
    else
      ++races_[known->second].count;
  }

  const Recording& recording_;
  std::vector<std::uint32_t> granules_;  // by array
  std::vector<std::uint32_t> lines_;     // by place
  // Of the launch.
  std::vector<bool> written_;  // arrays that the launch writes: others need no check
  std::vector<Block> blocks_;
  std::vector<LaneState> lanes_;
  std::unordered_map<std::uint32_t, std::uint32_t> block_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> lane_of_;  // by block and thread
  // By block, 0 for device memory, and array.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unordered_map<std::uint32_t, Cell>> cells_;
  using Places = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, EventKind, EventKind>;
  std::map<Places, std::size_t> known_;
  std::vector<Race> races_;
};

const char* verb(EventKind kind) {
  if (is_atomic(kind)) return "modifies atomically";
  if (kind == EventKind::write) return "writes";
  if (kind == EventKind::read) return "reads";
  return is_read(kind) ? "loads atomically" : "stores atomically";
}

}  // namespace
}  // namespace races

std::vector<Race> find_races(const Recording& recording) { return races::Finder(recording).find(); }

std::string in_words(const Recording& recording, const Race& race) {
  const RecordedEvent& first = recording.events[race.first];
  const RecordedEvent& second = recording.events[race.second];
  const auto does = [&recording](const RecordedEvent& event) {
    std::string words = fmt::format("thread {} {}", event.thread, races::verb(event.kind));
    if (const auto& chain = recording.chain(event.place); !chain.empty())
      words += fmt::format(" at {}:{}", chain.front().file, chain.front().line);
    return words;
  };
  return fmt::format("{}[{}]: block {}, {} and {}{}, unordered", recording.arrays[race.array].name,
                     race.element, first.block, does(first),
                     first.block == second.block ? "" : fmt::format("block {}, ", second.block),
                     does(second));
}

}  // namespace warpview
