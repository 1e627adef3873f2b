#include "app/common/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/common/digits.h"
#include "gpu/runtime/statistics.h"

namespace warpview {
namespace {

constexpr double least_compared = 0.001;  // milliseconds
constexpr std::size_t fewest_runs = 3;    // two have no quartiles apart from themselves

bool is_sound(const Spread& spread) {
  return spread.quartile_1 > 0.0 && std::isfinite(spread.median) &&
         std::isfinite(spread.quartile_3);
}

std::string ratio_in_digits(double ratio) {
  return ratio < 0.0995 ? fmt::format("{:#.2g}", ratio) : three_digits(ratio);
}

}  // namespace

Spread spread_of(const std::vector<double>& milliseconds) {
  return {quantile(milliseconds, 0.5), quantile(milliseconds, 0.25), quantile(milliseconds, 0.75),
          milliseconds.size()};
}

std::string Change::words() const {
  return interval.empty() ? headline : fmt::format("{} ({})", headline, interval);
}

std::string Change::ratio_in_words() const {
  return "Ratio of medians: " + (ratio.empty() ? headline : ratio);
}

void Change::take_no_side(std::string why) {
  direction = 0;
  if (ratio.empty()) return;
  headline = ratio;
  interval = std::move(why);
}

Change change_of(const Spread& before, const Spread& now) {
  if (!is_sound(before) || !is_sound(now)) return {};
  if (std::min(before.median, now.median) < least_compared)
    return {0, "", "too small to compare", ""};
  const std::string ratio = ratio_in_digits(before.median / now.median) + "x";
  if (before.runs < fewest_runs || now.runs < fewest_runs) return {0, ratio, ratio, "too few runs"};
  const double least = before.quartile_1 / now.quartile_3;
  const double most = before.quartile_3 / now.quartile_1;
  const std::string from = ratio_in_digits(least);
  const std::string to = ratio_in_digits(most);
  if (least <= 1.0 && most >= 1.0)
    return {0, ratio, "no clear difference", fmt::format("{}x to {}x", from, to)};
  return {least > 1.0 ? -1 : 1, ratio, ratio, fmt::format("{} to {}", from, to)};
}

}  // namespace warpview
