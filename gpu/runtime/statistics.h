// Order statistics of a few numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpview {

// The quantile `share`: 0 the least value, 0.5 the median, 1 the largest. Interpolates linearly
// between two values. 0 for no values.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const double place = share * static_cast<double>(values.size() - 1);
  const double whole = std::floor(place);
  const auto lower = values.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(values.begin(), lower, values.end());
  if (place == whole) return *lower;
  const double upper = *std::min_element(lower + 1, values.end());
  return *lower + (place - whole) * (upper - *lower);
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace warpview
