#include "gpu/recording/clocks.h"

#include <algorithm>

namespace warpview::races {
namespace {

template <class Pairs>
auto find_first(Pairs& pairs, std::uint32_t key) {
  return std::lower_bound(pairs.begin(), pairs.end(), key,
                          [](const auto& pair, std::uint32_t k) { return pair.first < k; });
}

}  // namespace

std::uint32_t Clock::View::time_of(std::uint32_t lane) const {
  const auto found = find_first(above, lane);
  return found != above.end() && found->first == lane ? found->second : base_of(lane);
}

const Clock::View* Clock::find(std::uint32_t block) const {
  const auto found = find_first(views_, block);
  return found != views_.end() && found->first == block ? found->second.get() : nullptr;
}

std::uint32_t Clock::time_of(LaneIndex lane) const {
  const View* const view = find(lane.block);
  return view ? view->time_of(lane.lane) : 0;
}

std::shared_ptr<const Clock::View> Clock::join(const std::shared_ptr<const View>& a,
                                               const std::shared_ptr<const View>& b) {
  if (a == b) return a;
  // Times at a later barrier are not smaller than at an earlier one.
  const View& later = a->barrier >= b->barrier ? *a : *b;
  View all{later.barrier, later.base, {}};
  const auto add = [&all](const LaneTime& time) {
    if (time.second > all.base_of(time.first)) all.above.push_back(time);
  };
  auto from = a->above.begin();
  for (const LaneTime& other : b->above) {
    for (; from != a->above.end() && from->first < other.first; ++from) add(*from);
    if (from != a->above.end() && from->first == other.first)
      add({other.first, std::max(other.second, (from++)->second)});
    else
      add(other);
  }
  std::for_each(from, a->above.end(), add);
  if (all == *a) return a;
  if (all == *b) return b;
  return std::make_shared<const View>(std::move(all));
}

ClockRef Clock::join(const ClockRef& a, const ClockRef& b) {
  if (a == b || !b) return a;
  if (!a) return b;
  Clock all;
  bool is_a = true;
  bool is_b = true;
  auto from = a->views_.begin();
  for (const BlockView& other : b->views_) {
    for (; from != a->views_.end() && from->first < other.first; ++from) {
      all.views_.push_back(*from);
      is_b = false;
    }
    if (from == a->views_.end() || from->first != other.first) {
      all.views_.push_back(other);
      is_a = false;
      continue;
    }
    all.views_.emplace_back(other.first, join(from->second, other.second));
    is_a = is_a && all.views_.back().second == from->second;
    is_b = is_b && all.views_.back().second == other.second;
    ++from;
  }
  is_b = is_b && from == a->views_.end();
  if (is_a) return a;
  if (is_b) return b;
  all.views_.insert(all.views_.end(), from, a->views_.end());
  return std::make_shared<const Clock>(std::move(all));
}

ClockRef Clock::replace(const ClockRef& clock, std::uint32_t block,
                        std::shared_ptr<const View> view) {
  Clock changed = clock ? *clock : Clock();
  const auto found = find_first(changed.views_, block);
  if (found != changed.views_.end() && found->first == block)
    found->second = std::move(view);
  else
    changed.views_.emplace(found, block, std::move(view));
  return std::make_shared<const Clock>(std::move(changed));
}

ClockRef Clock::with(const ClockRef& clock, std::uint32_t block, std::span<const LaneTime> times) {
  Clock known;
  known.views_.emplace_back(
      block, std::make_shared<const View>(View{0, nullptr, {times.begin(), times.end()}}));
  return join(clock, std::make_shared<const Clock>(std::move(known)));
}

ClockRef Clock::behind_barrier(const ClockRef& joined, std::uint32_t block,
                               std::span<const LaneTime> times, std::uint32_t number) {
  std::vector<std::uint32_t> base;
  const auto raise = [&base](const LaneTime& time) {
    if (base.size() <= time.first) base.resize(time.first + 1, 0);
    base[time.first] = std::max(base[time.first], time.second);
  };
  if (const View* const before = joined ? joined->find(block) : nullptr) {
    if (before->base) base = *before->base;
    for (const LaneTime& time : before->above) raise(time);
  }
  for (const LaneTime& time : times) raise(time);
  View view{number, std::make_shared<const std::vector<std::uint32_t>>(std::move(base)), {}};
  return replace(joined, block, std::make_shared<const View>(std::move(view)));
}

}  // namespace warpview::races
