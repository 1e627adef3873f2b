#include "app/common/csv.h"

#include <string_view>

namespace warpview {
namespace {

std::string quoted_if_needed(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i)
    line += (i > 0 ? "," : "") + quoted_if_needed(fields[i]);
  return line + '\n';
}

}  // namespace warpview
