// The laboratory's answers as CSV (RFC 4180): for `warpview lab --csv`, the Lab panel and kept
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/lab/laboratory.h"

namespace warpview {

// An answer as a line of the table has it. It holds names, as a file may come from another version
// of the program. Times are in milliseconds; what was not measured is 0.
struct LabCsvRow {
  std::string primitive{}, form{}, distribution{};
  std::uint32_t items = 0;
  std::uint64_t seed = 0;
  std::string variant{};
  bool available = true;
  bool verified = false;
  double ms = 0.0, quartile_1_ms = 0.0, quartile_3_ms = 0.0;
  int runs = 0;
  double bytes = 0.0, bytes_moved = 0.0;
  double copy_gb_per_s = 0.0;
  double of_library = 0.0;
  std::string difference{};  // or why it is not available

  double gb_per_s() const { return ms > 0.0 ? bytes / ms * 1e-6 : 0.0; }
  double copy_share() const { return copy_gb_per_s > 0.0 ? gb_per_s() / copy_gb_per_s : 0.0; }
  bool operator==(const LabCsvRow&) const = default;
};
LabCsvRow lab_csv_row(const lab::Answer& answer);

// The header line, and one line per answer, each with its line feed. Numbers that were not measured
// are empty. `difference` holds the difference from the reference, the device's error, or why a
// variant is unavailable.
std::string lab_csv_header();
std::string lab_csv_line(const lab::Answer& answer);

std::string lab_csv(std::span<const lab::Answer> answers);

// Parses the fields of a line; none if they are not such a line.
inline constexpr std::size_t lab_csv_columns = 19;
std::vector<std::string> lab_csv_names();
std::vector<std::string> lab_csv_fields(const LabCsvRow& row);
std::optional<LabCsvRow> read_lab_csv(std::span<const std::string> fields);

}  // namespace warpview
