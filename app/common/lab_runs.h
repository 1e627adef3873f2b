// What was measured, run by run: the laboratory's answers and the comparisons of stages, of this
// session and of earlier ones whose runs were kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/common/lab_csv.h"

namespace warpview {

// A variant's times in one series, when and where they were taken.
struct MeasuredRun {
  std::chrono::sys_seconds at{};  // the end of it
  std::string backend{}, device{};
  // "run", "sweep", or "compare": in the Timings panel, where the form is the stage's name.
  std::string asked_by{};
  LabCsvRow row{};
  std::uint64_t id = 0;  // within LabRuns, from 1

  bool operator==(const MeasuredRun&) const = default;
};

// The runs that the laboratory's tab Runs shows, in the order in which they came; those of earlier
// sessions first.
class LabRuns {
 public:
  static constexpr std::size_t most = 5000;  // the oldest make way

  const std::deque<MeasuredRun>& all() const { return all_; }
  // Another number after each change.
  std::uint64_t version() const { return version_; }
  // Runs that were added, whatever became of them.
  std::uint64_t added() const { return added_; }
  // How often runs were cleared or came back: a file of them is then to be written anew.
  std::uint64_t rewrites() const { return rewrites_; }

  void add(MeasuredRun run);
  // Runs of earlier sessions, from their file.
  void add_kept(std::vector<MeasuredRun> runs);
  // The last run that was added last, and those before it: as many.
  std::vector<MeasuredRun> last(std::size_t count) const;
  void clear();
  // What was cleared last comes back, before what was added since.
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

// The file of the runs that are kept: docs/kept-runs.md. CSV, a head line first, and a run a line:
// line breaks within a field become spaces.
std::string runs_as_csv(std::span<const MeasuredRun> runs);
// A run's line alone.
std::string run_as_csv(const MeasuredRun& run);

struct RunsRead {
  std::vector<MeasuredRun> runs{};
  bool is_ours = true;      // its first line is that of such a file, or it is empty
  std::size_t damaged = 0;  // lines that make no sense, which are left out
};
// At most LabRuns::most runs, the last ones of the text. Nothing is too damaged for it.
RunsRead read_runs(std::string_view text);

// "2026-01-31T23:59:59Z"
std::string utc_in_words(std::chrono::sys_seconds at);

}  // namespace warpview
