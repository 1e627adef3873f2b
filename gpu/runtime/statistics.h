// Order statistics of a few numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpview {

// The value that a share of the others does not exceed: 0 the least, 0.5 the median (the upper one
// of two in the middle), 1 the largest. 0 of no values.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::llround(share * last));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace warpview
