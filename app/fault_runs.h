// Runs of a fault with many seeds, and where a run shows it: for the laboratory's tab Faults and
// for `warpview lab faults`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gpu/faults/faults.h"
#include "gpu/recording/playback.h"

namespace warpview {

struct FaultQuestion {
  const FaultForm* form = nullptr;
  std::uint64_t first_seed = 1;  // of the schedule
  unsigned seeds = 100;
  unsigned interleave = usual_interleave;
  std::uint64_t input_seed = 1;
  bool operator==(const FaultQuestion&) const = default;
};

// How many runs each check shows something in.
struct FaultTally {
  struct Shown {
    unsigned count = 0;
    std::uint64_t seed = 0;  // of the first such run
    std::string words{};     // what the check shows of that
  };
  static constexpr std::array checks = {FaultCheck::words, FaultCheck::report, FaultCheck::races};

  FaultQuestion asked;
  unsigned runs = 0;                         // that have ended
  std::array<Shown, checks.size()> shown{};  // by `checks`
  std::string no_lines{};                    // why `words` have no source lines; empty: they have

  // Of the check that the form's row names; null: it is the right twin.
  const Shown* own() const;
  // Does the row's check show the fault, or nothing show one of the right twin?
  bool is_as_expected() const;
};

// Runs all seeds on this thread, and calls `tell` after each run. Errors are those of run_fault().
FaultTally run_seeds(const FaultQuestion& asked, const CpuOptions& options,
                     const std::function<void(const FaultTally&)>& tell = {});

// The first read of a run that finds another value than the same read of the right twin, and the
// write that raced with it: one that overwrote the value too early, or one that came too late.
struct StrayRead {
  std::size_t read = 0, write = 0;  // events of the run
};

struct RepeatedRun : FaultRun {
  // In a run with a wrong word. None if the kernels differ in more than what orders their accesses,
  // or if no data race is on the array that is read.
  std::optional<StrayRead> stray{};
};

// Repeats the run with this seed; its recording has source lines where they can be found, and
// `no_lines` says why not. Error if the run has more events than a recording holds.
RepeatedRun repeat_run(const FaultQuestion& asked, const CpuOptions& options, std::uint64_t seed,
                       std::string& no_lines);

// What the check shows of a run that it shows something of: "out[5] is 3, expected 4".
std::string in_words(const FaultRun& run, FaultCheck check);

// Where a run shows the fault.
struct FaultSight {
  std::size_t position = 0;    // of the playback: the step before it shows the fault
  std::string words{};         // in_words(), and what that step does
  std::optional<Word> word{};  // that is wrong or raced for
};

// Wrong words: the write that raced with the stray read; where there is none, the step that wrote
// the first wrong word last, or the end if none did. A report: the end. Races: the second access of
// the first race. The playback is one of the run's recording, and is left at its end.
FaultSight sight_of(const RepeatedRun& run, FaultCheck check, Playback& playback);

}  // namespace warpview
