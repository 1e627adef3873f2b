// Lines of CSV (RFC 4180), except that lines end with a line feed, as in all our files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// Quotes a field that contains a separator, a quote or a line break.
std::string csv_line(std::span<const std::string> fields);

// Takes the first line off `text`; it may also end with "\r\n". Returns none if a quote never
// closes or the line has no end, as in a truncated file: `text` is then empty.
std::optional<std::vector<std::string>> take_csv_line(std::string_view& text);

}  // namespace warpview
