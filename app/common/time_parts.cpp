#include "app/common/time_parts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpview {
namespace {

double milliseconds(PartClock::Time from, PartClock::Time to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

double sum_of(const std::vector<TimePart>& parts) {
  double sum = 0.0;
  for (const TimePart& part : parts) sum += part.ms;
  return sum;
}

}  // namespace

double TimeParts::sum_ms() const { return sum_of(parts); }

double TimeParts::on_device_ms() const {
  double sum = 0.0;
  for (const TimePart& part : parts) sum += part.place == TimePart::Place::device ? part.ms : 0.0;
  return sum;
}

void PartClock::begin(Time at) {
  under_way_ = true;
  begin_ = last_ = at;
  now_.clear();
}

void PartClock::add(TimePart part) {
  if (under_way_) now_.push_back(std::move(part));
}

void PartClock::lap(TimePart part, Time at) {
  part.ms = lap(at);
  add(std::move(part));
}

double PartClock::lap(Time at) { return milliseconds(std::exchange(last_, at), at); }

void PartClock::end(Time at) {
  if (!std::exchange(under_way_, false)) return;
  Whole whole{.ms = milliseconds(begin_, at), .parts = std::exchange(now_, {})};
  whole.parts.push_back({.order = order_of_other,
                         .title = "Other",
                         .about = "Time that belongs to no other part.",
                         .ms = std::max(whole.ms - sum_of(whole.parts), 0.0)});
  lengths_.push_back(static_cast<float>(whole.ms));
  if (lengths_.size() > kept) lengths_.pop_front();
  wholes_.push_back(std::move(whole));
  if (wholes_.size() > averaged) wholes_.pop_front();
}

void PartClock::forget() {
  wholes_.clear();
  lengths_.clear();
}

TimeParts PartClock::parts() const {
  TimeParts mean;
  if (wholes_.empty()) return mean;
  const double share = 1.0 / static_cast<double>(wholes_.size());
  std::map<int, TimePart> by_order;
  for (const Whole& whole : wholes_) {
    mean.whole_ms += share * whole.ms;
    for (const TimePart& part : whole.parts) {
      const auto [place, is_new] = by_order.try_emplace(part.order, part);
      place->second.ms = (is_new ? 0.0 : place->second.ms) + share * part.ms;
    }
  }
  for (auto& [order, part] : by_order) mean.parts.push_back(std::move(part));
  mean.last_wholes = {lengths_.begin(), lengths_.end()};
  return mean;
}

}  // namespace warpview
