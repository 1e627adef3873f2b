#include "app/step_views/array_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/step_views/arrays.h"
#include "gpu/recording/replay.h"

namespace warpview::step_views {
namespace {

std::optional<std::size_t> last_before(const std::vector<std::uint32_t>& events,
                                       std::size_t event) {
  const auto after = std::lower_bound(events.begin(), events.end(), event);
  if (after == events.begin()) return {};
  return *(after - 1);
}

// The widest of an array's integers.
class Widest {
 public:
  explicit Widest(const std::string& type) : is_signed_(type.starts_with('i')) {
    static constexpr const char* bits[] = {"8", "16", "32", "64"};
    for (unsigned i = 0; i < 4; ++i)
      if ((type.starts_with('u') || is_signed_) && type.substr(1) == bits[i]) bytes_ = 1U << i;
  }
  bool is_integer() const { return bytes_ != 0; }
  void add(std::uint64_t value) {
    const unsigned unused = 64 - 8 * bytes_;
    if (is_signed_) {
      const auto number = static_cast<std::int64_t>(value << unused) >> unused;
      least_ = std::min(least_, number);
      if (number > 0) most_ = std::max(most_, static_cast<std::uint64_t>(number));
    } else {
      const std::uint64_t number = value << unused >> unused;
      if (bytes_ >= 4 && number == all_ones >> unused)
        has_all_ones_ = true;
      else
        most_ = std::max(most_, number);
    }
  }
  // Skips elements that nothing was written to.
  void add_all(std::span<const std::uint8_t> contents) {
    for (std::size_t i = 0; i + bytes_ <= contents.size(); i += bytes_) {
      const auto element = contents.subspan(i, bytes_);
      if (std::all_of(element.begin(), element.end(),
                      [](std::uint8_t byte) { return byte == RecordedArray::spoiled; }))
        continue;
      add(number_at<std::uint64_t>(element));
    }
  }
  unsigned letters() const {
    constexpr std::size_t of_all_ones = 6;  // "2^32-1"
    const std::size_t most =
        std::max(fmt::formatted_size("{}", most_), has_all_ones_ ? of_all_ones : 0);
    return static_cast<unsigned>(least_ < 0 ? std::max(most, fmt::formatted_size("{}", least_))
                                            : most);
  }

 private:
  static constexpr std::uint64_t all_ones = ~std::uint64_t{0};

  bool is_signed_;
  bool has_all_ones_ = false;
  unsigned bytes_ = 0;  // 0: no integers
  std::uint64_t most_ = 0;
  std::int64_t least_ = 0;
};

}  // namespace

ArrayHistory::ArrayHistory(const Recording& recording) {
  used_.emplace_back(recording.arrays.size());
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const RecordedEvent& event = recording.events[i];
    if (event.kind == EventKind::launch) {
      launches_.push_back(i);
      used_.emplace_back(recording.arrays.size());
    } else if (is_access(event.kind)) {
      const bool shared = recording.arrays[event.subject].kind == ArrayKind::shared;
      note(event.subject, shared ? event.block : 0, i, !is_read(event.kind));
    } else if (is_patch(event.kind)) {
      note(recording.patches[event.subject].array, 0, i, true);
    }
  }
  note_before(recording);
  note_letters(recording);
}

void ArrayHistory::note(std::uint32_t array, std::uint32_t block, std::size_t event, bool writes) {
  Times& times = times_[{array, block}];
  times.accesses.push_back(static_cast<std::uint32_t>(event));
  if (writes) times.writes.push_back(static_cast<std::uint32_t>(event));
  used_.back()[array] = true;
}

void ArrayHistory::note_before(const Recording& recording) {
  before_.resize(recording.events.size());
  Replay replay(recording);
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    if (!is_read(recording.events[i].kind)) before_[i] = replay.value_before();
    replay.step();
  }
}

void ArrayHistory::note_letters(const Recording& recording) {
  std::vector<Widest> widest;
  for (const RecordedArray& array : recording.arrays) {
    widest.emplace_back(array.type);
    if (widest.back().is_integer()) widest.back().add_all(array.before);
  }
  for (const RecordedEvent& event : recording.events) {
    if (is_access(event.kind) && !is_read(event.kind) && widest[event.subject].is_integer())
      widest[event.subject].add(event.value);
    if (!is_patch(event.kind)) continue;
    const RecordedPatch& patch = recording.patches[event.subject];
    if (widest[patch.array].is_integer()) widest[patch.array].add_all(patch.bytes);
  }
  for (const Widest& each : widest) letters_.push_back(each.is_integer() ? each.letters() : 0);
}

bool ArrayHistory::is_used_now(const Playback& at, std::uint32_t array) const {
  const auto after = std::lower_bound(launches_.begin(), launches_.end(), at.executed());
  const auto launch = static_cast<std::size_t>(after - launches_.begin());
  if (launch == 0 && used_.size() > 1 && used_[1][array]) return true;
  return used_[launch][array];
}

std::optional<std::size_t> ArrayHistory::last_access(std::uint32_t array, std::uint32_t block,
                                                     std::size_t before_event) const {
  const auto found = times_.find({array, block});
  if (found == times_.end()) return {};
  return last_before(found->second.accesses, before_event);
}

std::optional<std::size_t> ArrayHistory::last_write(std::uint32_t array, std::uint32_t block,
                                                    std::size_t before_event) const {
  const auto found = times_.find({array, block});
  if (found == times_.end()) return {};
  return last_before(found->second.writes, before_event);
}

}  // namespace warpview::step_views
