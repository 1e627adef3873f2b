#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpview::bench {
namespace {

constexpr std::size_t columns = 10;
using Cells = std::array<std::string, columns>;

// 16 777 216: groups of three digits.
std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t from_right = 3; from_right < digits.size(); from_right += 4)
    digits.insert(digits.size() - from_right, " ");
  return digits;
}

// About three significant digits.
std::string significant(double value) {
  int decimals = 3;
  for (double limit = 1; limit <= 100 && value >= limit; limit *= 10) --decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

Cells cells_of(const TableRow& row) {
  Cells cells = {row.subject, grouped(row.items), row.variant};
  if (!row.error.empty()) {
    cells[3] = "not timed: " + row.error;
    return cells;
  }
  if (row.bytes > 0 && row.bytes < 1e6) cells[1] += "*";
  cells[3] = fmt::format("{:.4f}", row.milliseconds);
  cells[4] = significant(static_cast<double>(row.items) / row.milliseconds * 1e-3);
  for (std::size_t c = 5; c < columns; ++c) cells[c] = "-";
  if (row.bytes > 0) {
    cells[5] = significant(row.gb_per_s());
    cells[6] = significant(row.copy_gb_per_s);
    cells[7] = significant(row.gb_per_s() / row.copy_gb_per_s);
  }
  if (row.library_ms > 0) {
    cells[8] = fmt::format("{:.4f}", row.library_ms);
    cells[9] = significant(row.library_ms / row.milliseconds);
  }
  return cells;
}

}  // namespace

void write_table(std::ostream& out, const Heading& heading, const std::vector<TableRow>& rows,
                 const std::vector<std::string>& notes) {
  for (const auto& [name, text] : heading) out << "- " << name << ": " << text << '\n';
  out << '\n';

  std::vector<Cells> lines = {{"what", "items", "variant", "ms", "M items/s", "GB/s", "copy GB/s",
                               "of copy", "library ms", "of library"}};
  for (const TableRow& row : rows) lines.push_back(cells_of(row));
  std::array<std::size_t, columns> widths{};
  for (const Cells& line : lines)
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], line[c].size());

  const auto is_text = [](std::size_t c) { return c == 0 || c == 2; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t c = 0; c < columns; ++c)
      out << (is_text(c) ? fmt::format("| {:<{}} ", lines[i][c], widths[c])
                         : fmt::format("| {:>{}} ", lines[i][c], widths[c]));
    out << "|\n";
    if (i > 0) continue;
    for (std::size_t c = 0; c < columns; ++c)
      out << "| " << std::string(widths[c] - 1, '-') << (is_text(c) ? "- " : ": ");
    out << "|\n";
  }
  out << '\n';
  for (const std::string& note : notes) out << "- " << note << '\n';
}

}  // namespace warpview::bench
