// The history of measurements: the laboratory's answers and the comparisons of stages, from this
// session and from kept earlier ones.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/common/lab_csv.h"
#include "gpu/catalogue.h"

namespace warpview {

// A variant's times in one series of runs, with time and device.
struct MeasuredRun {
  std::chrono::sys_seconds at{};  // when it ended
  std::string backend{}, device{};
  // "run", "sweep", or "compare": in the Timings panel, where the form is the stage's name.
  std::string asked_by{};
  LabCsvRow row{};
  std::uint64_t id = 0;  // within LabRuns, from 1

  bool operator==(const MeasuredRun&) const = default;
};

// The runs in the laboratory's tab Runs, oldest first.
class LabRuns {
 public:
  static constexpr std::size_t most = 5000;  // beyond it, the oldest are dropped

  const std::deque<MeasuredRun>& all() const { return all_; }
  // Changes with each change of the runs.
  std::uint64_t version() const { return version_; }
  // How many runs were ever added.
  std::uint64_t added() const { return added_; }
  // How often runs were cleared or restored: their file must then be rewritten.
  std::uint64_t rewrites() const { return rewrites_; }

  void add(MeasuredRun run);
  // Adds runs of earlier sessions, from their file, before all others.
  void add_kept(std::vector<MeasuredRun> runs);
  // Returns the last `count` runs, oldest first.
  std::vector<MeasuredRun> last(std::size_t count) const;
  void clear();
  // Brings back what was cleared last, before the runs added since.
  bool can_restore() const { return !cleared_.empty(); }
  void restore();

 private:
  void trim();

  std::deque<MeasuredRun> all_;
  std::deque<MeasuredRun> cleared_;
  std::uint64_t version_ = 0;
  std::uint64_t added_ = 0;
  std::uint64_t rewrites_ = 0;
  std::uint64_t last_id_ = 0;
};

// The file of kept runs (docs/kept-runs.md): CSV with a header line and one line per run. Line
// breaks within a field become spaces.
std::string runs_as_csv(std::span<const MeasuredRun> runs);

struct RunsRead {
  std::vector<MeasuredRun> runs{};
  bool is_ours = true;      // it begins with the header line, or is empty
  std::size_t damaged = 0;  // lines that could not be parsed and are left out
};
// Reads the last LabRuns::most runs of the text. Never fails, however damaged the text is.
RunsRead read_runs(std::string_view text);

// The variant that ran; none: this version of the program lacks it.
std::optional<VariantId> variant_of(const LabCsvRow& row);
// Its title, or the name in the row.
std::string variant_title(const LabCsvRow& row);
// The title of a primitive in panels, by its name in a row; the name, if this version lacks it.
std::string primitive_title(std::string_view name);

}  // namespace warpview
