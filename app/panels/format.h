// Numbers as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

std::string group_digits(std::uint64_t n);                    // "1 234 567"
std::string capitalised(std::string_view word);               // "Refit"; single letters stay
std::string format_count(std::uint64_t n, const char* noun);  // "1 triangle", "1 234 triangles"
std::string format_bytes(std::uint64_t bytes);  // "1.2 MB"; decimal units, as bandwidths have
std::string format_milliseconds(double ms);     // "0.412", "12.3"; "-" when there is none yet
std::string format_rate(double ms);  // "60/s", "0.5/s": how often that fits into a second
std::string format_bandwidth(double gb_per_s);  // "91.3 GB/s", "3.92 TB/s"; "-" for 0
std::string format_percent(double fraction);    // "23 %"; "-" for 0
std::string format_coordinate(float x);         // four significant digits
std::string format_number(double x);            // "12.34", "1.2e-05", "1 234 567"
// "23:07:09", where the user is.
std::string time_of_day(std::chrono::system_clock::time_point at);

// "n 120, min 0.402, p50 0.412, p95 0.45, max 0.61 ms"; at least one time.
std::string statistics_in_words(const std::vector<double>& milliseconds);

// Times with their spread, in milliseconds and above 0.
struct Spread {
  double median, quartile_1, quartile_3;
};
// From one to the other: "8.5 x faster (8.1 to 9.0)", or "as fast" where the quartiles overlap.
struct Change {
  int direction;  // -1: less time, 1: more, 0: neither can be said
  std::string words;
};
Change change_of(const Spread& before, const Spread& now);
// The same in percent: "-34 % (-40 to -28)". The range is from the quartiles that lie nearest to
// each other to those that lie farthest; where it holds 0, neither can be said.
Change difference_of(const Spread& before, const Spread& now);
// Of one time at least; all 0 where there is none.
Spread spread_of(const std::vector<double>& milliseconds);

}  // namespace warpview
