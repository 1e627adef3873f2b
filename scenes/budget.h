// What several ways to the same result cost, each of which takes some time at first and then some
// for each unit of work: which is the cheapest depends on how much work there is.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warpview {

struct Contender {
  std::string group;     // of its facts: "a"
  std::string name;      // "A: Near clusters, H-PLOC"
  double once_ms = 0.0;  // before the first unit
  double each_ns = 0.0;  // 0: not measured yet

  std::string letter() const;  // "A": its group in capitals
  bool is_measured() const { return once_ms > 0.0 && each_ns > 0.0; }
  double milliseconds(double units) const { return once_ms + 1e-6 * each_ns * units; }
};

struct Budgets {
  const char* unit = "";  // of the work: "rays"
  double measured = 0.0;  // units of work that the times were taken with
  std::vector<Contender> contenders{};
};

// The cheapest contender for `from` units and more, up to the next entry.
struct Cheapest {
  double from = 0.0;
  std::size_t contender = 0;  // its index
};
// From no work on, in ascending order. Contenders that are not measured are left out; of two that
// cost the same for any work, the first counts.
std::vector<Cheapest> cheapest_of(std::span<const Contender> contenders);

// "A up to 12 k rays, then C": by group. Empty where nothing is measured.
std::string cheapest_in_words(const Budgets& budgets);

}  // namespace warpview
