#include "gpu/primitives/schedule/blocks_at_work.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "gpu/lab/busy.h"

namespace warpview {
namespace {

std::uint64_t end_of(const BusyStretch& stretch) { return stretch.begin + stretch.nanoseconds; }

}  // namespace

std::vector<BusyStretch> in_order(std::span<const BusyStretch> stretches) {
  std::vector<BusyStretch> ordered(stretches.begin(), stretches.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const BusyStretch& a, const BusyStretch& b) { return a.begin < b.begin; });
  return ordered;
}

std::vector<std::uint32_t> rows_of(std::span<const BusyStretch> stretches) {
  using Ending = std::pair<std::uint64_t, std::uint32_t>;  // when a row becomes free
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy;
  std::set<std::uint32_t> free;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> row_of_block;
  std::vector<std::uint32_t> rows;
  rows.reserve(stretches.size());
  std::uint32_t count = 0;
  for (const BusyStretch& stretch : stretches) {
    for (; !busy.empty() && busy.top().first <= stretch.begin; busy.pop())
      free.insert(busy.top().second);
    if (free.empty()) free.insert(count++);
    const auto [last, is_new] =
        row_of_block.try_emplace({stretch.kernel, stretch.block}, *free.begin());
    const std::uint32_t row = !is_new && free.contains(last->second) ? last->second : *free.begin();
    last->second = row;
    free.erase(row);
    busy.emplace(end_of(stretch), row);
    rows.push_back(row);
  }
  return rows;
}

BlockUse use_of(const BlocksAtWork& blocks) {
  BlockUse use;
  if (blocks.stretches.empty()) return use;
  const std::uint64_t first = blocks.stretches.front().begin;
  std::uint64_t last = first;
  std::uint64_t idle = 0;
  std::set<std::uint32_t> places_of_kernels;
  std::vector<lab::BusyBlock> busy;
  busy.reserve(blocks.stretches.size());
  for (const BusyStretch& stretch : blocks.stretches) {
    if (stretch.begin > last) idle += stretch.begin - last;
    last = std::max(last, end_of(stretch));
    const std::uint32_t places = std::max(blocks.report.places[stretch.kernel], 1U);
    places_of_kernels.insert(places);
    busy.push_back({.begin_ns = stretch.begin, .end_ns = end_of(stretch), .share = 1.0 / places});
  }
  use.milliseconds = static_cast<double>(last - first) * BlocksAtWork::ms_of_ns;
  use.idle_ms = static_cast<double>(idle) * BlocksAtWork::ms_of_ns;
  use.share = std::min(lab::busy_of(busy).mean(), 1.0);
  if (places_of_kernels.size() == 1) use.places = *places_of_kernels.begin();
  return use;
}

}  // namespace warpview
