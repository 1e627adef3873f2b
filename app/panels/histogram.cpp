#include "app/panels/histogram.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/format.h"
#include "app/panels/widgets.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

std::size_t parts_for(std::size_t numbers) {
  constexpr double fewest = 5.0;
  constexpr double most = 24.0;
  return static_cast<std::size_t>(
      std::clamp(std::ceil(2.0 * std::sqrt(static_cast<double>(numbers))), fewest, most));
}

}  // namespace

Histogram histogram_of(const std::vector<double>& numbers) {
  Histogram histogram;
  histogram.low = quantile(numbers, 0.0);
  histogram.high = quantile(numbers, 1.0);
  const double usual = quantile(numbers, 0.95) - histogram.low;
  if (usual > 0.0 && histogram.high - histogram.low > 3.0 * usual) {
    histogram.high = histogram.low + 1.5 * usual;
    histogram.has_more = true;
  }
  const double range = histogram.high - histogram.low;
  histogram.counts.resize(range > 0.0 ? parts_for(numbers.size()) : 1);
  const double last = static_cast<double>(histogram.counts.size()) - 1.0;
  for (const double number : numbers) {
    const double part =
        range > 0.0 ? std::floor((number - histogram.low) / range * (last + 1.0)) : 0.0;
    ++histogram.counts[static_cast<std::size_t>(std::clamp(part, 0.0, last))];
  }
  return histogram;
}

void draw_histogram(const std::vector<double>& milliseconds, ImVec2 size) {
  const Histogram histogram = histogram_of(milliseconds);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + size.x, at.y + size.y - line};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, colour::track, 3.0F);
  const auto parts = static_cast<float>(histogram.counts.size());
  const auto highest =
      static_cast<float>(*std::max_element(histogram.counts.begin(), histogram.counts.end()));
  // Room above for how many the highest is.
  const float reach = end.y - at.y - line - 2.0F;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    if (histogram.counts[i] == 0) continue;
    const float left = std::round(at.x + size.x * static_cast<float>(i) / parts);
    const float right = std::round(at.x + size.x * static_cast<float>(i + 1) / parts);
    const auto count = static_cast<float>(histogram.counts[i]);
    const float top = std::min(end.y - reach * count / highest, end.y - 1.0F);
    list->AddRectFilled({left, top}, {std::max(right - 1.0F, left + 1.0F), end.y}, colour::accent);
    if (count < highest) continue;
    const std::string words = std::to_string(histogram.counts[i]);
    const float width = ImGui::CalcTextSize(words.c_str()).x;
    const float middle =
        std::clamp(0.5F * (left + right - width), at.x + 2.0F, end.x - width - 2.0F);
    list->AddText({middle, top - line}, colour::text, words.c_str());
  }
  const double range = histogram.high - histogram.low;
  if (range > 0.0) {
    const double share = (median(milliseconds) - histogram.low) / range;
    const float x = at.x + size.x * static_cast<float>(std::clamp(share, 0.0, 1.0));
    list->AddLine({x, at.y}, {x, end.y}, colour::text);
  }
  const std::string low = format_milliseconds(histogram.low);
  const std::string high =
      format_milliseconds(histogram.high) + (histogram.has_more ? " ms and more" : " ms");
  list->AddText({at.x, end.y}, colour::dim, low.c_str());
  list->AddText({end.x - ImGui::CalcTextSize(high.c_str()).x, end.y}, colour::dim, high.c_str());
  ImGui::Dummy(size);
}

}  // namespace warpview
