// Lines of a table as CSV (RFC 4180), but for their ends: lines end as in all our files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// A field is in quotes where it holds what would otherwise end it.
std::string csv_line(std::span<const std::string> fields);

// Takes the first line off `text`, which may end with "\r\n" too. None where a quote never closes
// or the line has no end, as in a file that was cut off: `text` is then empty.
std::optional<std::vector<std::string>> take_csv_line(std::string_view& text);

}  // namespace warpview
