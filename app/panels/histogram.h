// How often times fall where.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <vector>

namespace warpview {

struct Histogram {
  double low = 0.0;
  double high = 0.0;
  std::vector<std::size_t> counts;  // of equal parts of [low, high]; one part if that is a point
  bool has_more = false;            // the last part holds what lies above `high`, too
};
// Takes one number at least, all finite. A few that lie far above the others do not squeeze these
// into one part. More numbers get more parts.
Histogram histogram_of(const std::vector<double>& numbers);

// Draws milliseconds, with the ends of the range below, and a line across at the median. An item of
// ImGui's.
void draw_histogram(const std::vector<double>& milliseconds, ImVec2 size);

}  // namespace warpview
