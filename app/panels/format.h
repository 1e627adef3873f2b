// Numbers as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/change.h"
#include "app/common/digits.h"

namespace warpview {

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

}  // namespace warpview
