// The one table that the benchmark writes.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace warpview::bench {

struct TableRow {
  std::string subject = {};  // "sort 32"
  std::uint64_t items = 0;
  std::string variant = {};
  double milliseconds = 0;
  double bytes = 0;          // moved at least; 0: not counted
  double copy_gb_per_s = 0;  // of a copy that moves as many bytes
  double library_ms = 0;     // the catalogue's library row beside a plain call; else 0
  std::string error = {};    // why it was not timed

  double gb_per_s() const { return bytes / milliseconds * 1e-6; }
};

// Fields of the heading: name and text.
using Heading = std::vector<std::pair<std::string, std::string>>;

// Markdown. `notes` stand below the table, one per line.
void write_table(std::ostream& out, const Heading& heading, const std::vector<TableRow>& rows,
                 const std::vector<std::string>& notes);

}  // namespace warpview::bench
