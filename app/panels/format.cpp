#include "app/panels/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "app/common/digits.h"
#include "gpu/runtime/statistics.h"

namespace warpview {

std::string group_digits(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t from_end = 3; from_end < text.size(); from_end += 4)
    text.insert(text.size() - from_end, " ");
  return text;
}

std::string capitalised(std::string_view word) {
  std::string capital(word);
  if (capital.size() > 1 && capital[0] >= 'a' && capital[0] <= 'z')
    capital[0] = static_cast<char>(capital[0] - 'a' + 'A');
  return capital;
}

std::string format_count(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", group_digits(n), noun, n == 1 ? "" : "s");
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto x = static_cast<double>(bytes) / 1e3;
  std::size_t unit = 0;
  for (; x >= 999.5 && unit + 1 < units.size(); ++unit) x /= 1e3;
  return three_digits(x) + " " + units[unit];
}

std::string format_milliseconds(double ms) {
  if (!(ms > 0.0)) return "-";
  if (ms < 9.9995) return fmt::format("{:.3f}", ms);
  return ms < 99.995 ? fmt::format("{:.2f}", ms) : fmt::format("{:.1f}", ms);
}

std::string format_rate(double ms) {
  if (!(ms > 0.0)) return "-";
  const double rate = 1e3 / ms;
  return rate < 9.95 ? fmt::format("{:.2g}/s", rate) : fmt::format("{:.0f}/s", rate);
}

std::string format_bandwidth(double gb_per_s) {
  if (!(gb_per_s > 0.0)) return "-";
  if (gb_per_s < 0.01) return fmt::format("{:.2f} MB/s", gb_per_s * 1e3);
  if (gb_per_s < 1.0) return fmt::format("{:.2f} GB/s", gb_per_s);
  return gb_per_s < 999.5 ? three_digits(gb_per_s) + " GB/s"
                          : three_digits(gb_per_s / 1e3) + " TB/s";
}

std::string format_percent(double fraction) {
  if (!(fraction > 0.0)) return "-";
  const double percent = 100.0 * fraction;
  if (percent < 0.05) return "<0.1 %";
  return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string statistics_in_words(const std::vector<double>& milliseconds) {
  const auto at = [&milliseconds](double share) {
    return format_milliseconds(quantile(milliseconds, share));
  };
  return fmt::format("n {}, min {}, p50 {}, p95 {}, max {} ms", milliseconds.size(), at(0.0),
                     at(0.5), at(0.95), at(1.0));
}

Change change_of(const Spread& before, const Spread& now) {
  const bool faster = now.median < before.median;
  const Spread& longer = faster ? before : now;
  const Spread& shorter = faster ? now : before;
  if (longer.quartile_1 <= shorter.quartile_3) return {0, "as fast"};
  const std::string ratio = three_digits(longer.median / shorter.median);
  const std::string least = three_digits(longer.quartile_1 / shorter.quartile_3);
  const std::string most = three_digits(longer.quartile_3 / shorter.quartile_1);
  std::string words = ratio + " x " + (faster ? "faster" : "slower");
  if (least != ratio || most != ratio) words += fmt::format(" ({} to {})", least, most);
  return {faster ? -1 : 1, std::move(words)};
}

Spread spread_of(const std::vector<double>& milliseconds) {
  return {quantile(milliseconds, 0.5), quantile(milliseconds, 0.25), quantile(milliseconds, 0.75)};
}

Change difference_of(const Spread& before, const Spread& now) {
  const auto percent = [](double ratio) {
    const double p = 100.0 * (ratio - 1.0);
    const std::string words = fmt::format("{:+.{}f}", p, std::abs(p) < 9.95 ? 1 : 0);
    return words == "-0.0" ? std::string("+0.0") : words;
  };
  const double least = now.quartile_1 / before.quartile_3;
  const double most = now.quartile_3 / before.quartile_1;
  const int direction = most < 1.0 ? -1 : least > 1.0 ? 1 : 0;
  const std::string middle = percent(now.median / before.median);
  std::string words = middle + " %";
  if (percent(least) != middle || percent(most) != middle)
    words += fmt::format(" ({} to {})", percent(least), percent(most));
  return {direction, std::move(words)};
}

std::string format_coordinate(float x) { return fmt::format("{:.4g}", x); }

std::string format_number(double x) {
  if (x >= 1e4 && x < 1e15) return group_digits(static_cast<std::uint64_t>(std::llround(x)));
  return fmt::format("{:.4g}", x);
}

std::string time_of_day(std::chrono::system_clock::time_point at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm here{};
  if (localtime_r(&seconds, &here) == nullptr) return {};
  return fmt::format("{:02}:{:02}:{:02}", here.tm_hour, here.tm_min, here.tm_sec);
}

}  // namespace warpview
