// How two series of times differ, in the words that panels and command line share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpview {

// Times in milliseconds.
struct Spread {
  double median = 0.0;
  double quartile_1 = 0.0;
  double quartile_3 = 0.0;
  std::size_t runs = 0;
};
Spread spread_of(const std::vector<double>& milliseconds);

struct Change {
  int direction = 0;     // -1: less time, 1: more, 0: the interval does not decide
  std::string ratio;     // of the medians, before over now: "1.43x" as fast; empty: there is none
  std::string headline;  // the ratio, "no clear difference" or "too small to compare"
  std::string interval;  // "1.17 to 1.74", or "0.98x to 1.20x"; or why there is none

  // "1.43x (1.17 to 1.74)", "no clear difference (0.98x to 1.20x)"; empty: there is nothing to say.
  std::string words() const;
  // "Ratio of medians: 1.43x", or why there is none.
  std::string ratio_in_words() const;
  // Leaves the ratio, if there is one, without a direction and with `why` in place of the interval.
  void take_no_side(std::string why);
};

// The interval spans the ratios of the nearest and of the farthest quartiles. A ratio counts as a
// difference if its interval excludes 1. Fewer than three runs on a side give no interval. A median
// below a microsecond is mostly the call and the timer, and has no ratio. The result is empty if a
// time is not a number above 0.
Change change_of(const Spread& before, const Spread& now);

}  // namespace warpview
