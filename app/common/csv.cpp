#include "app/common/csv.h"

#include <utility>

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

std::optional<std::vector<std::string>> take_csv_line(std::string_view& text) {
  const std::string_view all = std::exchange(text, {});
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const char c = all[at];
    if (is_quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (at + 1 < all.size() && all[at + 1] == '"') {
        fields.back() += all[++at];
      } else {
        is_quoted = false;
      }
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      text = all.substr(at + 1);
      if (fields.back().ends_with('\r')) fields.back().pop_back();
      return fields;
    } else {
      fields.back() += c;
    }
  }
  return {};
}

}  // namespace warpview
