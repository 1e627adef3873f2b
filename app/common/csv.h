// A line of a table as CSV (RFC 4180), but for its end: lines end as in all our files.
#pragma once

#include <span>
#include <string>

namespace warpview {

// A field is in quotes where it holds what would otherwise end it.
std::string csv_line(std::span<const std::string> fields);

}  // namespace warpview
