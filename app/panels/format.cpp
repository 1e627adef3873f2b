#include "app/panels/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "app/common/digits.h"
#include "gpu/runtime/statistics.h"

namespace warpview {

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
