// The laboratory's answers as CSV (RFC 4180): of `warpview lab --csv`, of the Lab panel and of the
// runs that are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/lab/laboratory.h"

namespace warpview {

// An answer as its line of the table says it, by names: those that a file has may be of another
// version of the program. Times in milliseconds; what was not measured is 0.
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

// The columns' names, and a line for each answer; both end their lines. Numbers that were not
// measured are empty. `difference` holds what differs from the reference or what the device
// complained of and, of a variant that is not available, the reason.
std::string lab_csv_header();
std::string lab_csv_line(const lab::Answer& answer);

std::string lab_csv(std::span<const lab::Answer> answers);

// A line by columns. None: the fields are no such line.
inline constexpr std::size_t lab_csv_columns = 19;
std::vector<std::string> lab_csv_names();
std::vector<std::string> lab_csv_fields(const LabCsvRow& row);
std::optional<LabCsvRow> read_lab_csv(std::span<const std::string> fields);

}  // namespace warpview
