#include "app/fault_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/common/recorded_lines.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

void look_at(FaultRun run, std::uint64_t seed, FaultTally& tally) {
  bool has_lines = false;
  for (std::size_t i = 0; i < FaultTally::checks.size(); ++i) {
    if (!run.shown_by(FaultTally::checks[i])) continue;
    FaultTally::Shown& shown = tally.shown[i];
    if (shown.count++ > 0) continue;
    shown.seed = seed;
    if (!std::exchange(has_lines, true)) tally.no_lines = find_lines(run.recording);
    shown.words = in_words(run, FaultTally::checks[i]);
  }
  ++tally.runs;
}

// "... /home/me/warpview/gpu/a.cu:12: ..." -> "... gpu/a.cu:12: ...": the same on all machines.
std::string without_folders(std::string report) {
  for (std::size_t at = report.find("/gpu/"); at != std::string::npos; at = report.find("/gpu/")) {
    const std::size_t blank = report.rfind(' ', at);
    const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
    report.erase(begin, at + 1 - begin);
  }
  return report;
}

FaultRun run_once(const FaultQuestion& asked, CpuOptions options, std::uint64_t seed) {
  options.seed = seed;
  return run_fault(*asked.form, options, asked.interleave, asked.input_seed);
}

FaultSight sight_of_words(const FaultRun& run, const Playback& at_end) {
  FaultSight sight{.position = at_end.steps()};
  const auto& arrays = run.recording.arrays;
  const auto out = std::find_if(arrays.begin(), arrays.end(),
                                [](const RecordedArray& array) { return array.name == "out"; });
  if (out == arrays.end()) return sight;
  sight.word = Word{static_cast<std::uint32_t>(out - arrays.begin()), run.wrong->index};
  if (const auto event = at_end.last_write(*sight.word)) {
    sight.position = at_end.step_of(*event) + 1;
    sight.words = "This step wrote it last.";
  } else {
    sight.words = "No step wrote it. This is the end of the run.";
  }
  return sight;
}

FaultSight sight_of_race(const FaultRun& run, const Playback& at_end) {
  const Race& race = run.races.front();
  const RecordedEvent& second = run.recording.events[race.second];
  const bool is_shared = run.recording.arrays[race.array].kind == ArrayKind::shared;
  return {.position = at_end.step_of(race.second) + 1,
          .words = "This step makes the second access.",
          .word = Word{race.array, race.element, is_shared ? second.block : 0}};
}

}  // namespace

const FaultTally::Shown* FaultTally::own() const {
  const auto check = std::find(checks.begin(), checks.end(), asked.form->check);
  return check == checks.end() ? nullptr : &shown[static_cast<std::size_t>(check - checks.begin())];
}

bool FaultTally::is_as_expected() const {
  if (const Shown* const expected = own()) return expected->count > 0;
  return std::all_of(shown.begin(), shown.end(), [](const Shown& each) { return each.count == 0; });
}

FaultTally run_seeds(const FaultQuestion& asked, const CpuOptions& options,
                     const std::function<void(const FaultTally&)>& tell) {
  FaultTally tally{.asked = asked};
  for (unsigned i = 0; i < asked.seeds; ++i) {
    interruption_point();
    const std::uint64_t seed = asked.first_seed + i;
    look_at(run_once(asked, options, seed), seed, tally);
    if (tell) tell(tally);
  }
  return tally;
}

FaultRun repeat_run(const FaultQuestion& asked, const CpuOptions& options, std::uint64_t seed,
                    std::string& no_lines) {
  FaultRun run = run_once(asked, options, seed);
  if (run.recording.events.empty())
    throw Error(fmt::format("the run with seed {}", seed),
                "it has more events than a recording holds", "Choose another seed");
  no_lines = find_lines(run.recording);
  return run;
}

std::string in_words(const FaultRun& run, FaultCheck check) {
  switch (check) {
    case FaultCheck::words:
      // Accounts may be overdrawn.
      return fmt::format("out[{}] is {}, expected {}", run.wrong->index,
                         static_cast<std::int32_t>(run.wrong->is),
                         static_cast<std::int32_t>(run.wrong->expected));
    case FaultCheck::report:
      return without_folders(run.report);
    case FaultCheck::races:
      return in_words(run.recording, run.races.front());
    case FaultCheck::none:
      break;
  }
  return {};
}

FaultSight sight_of(const FaultRun& run, FaultCheck check, Playback& playback) {
  playback.seek(playback.steps());
  if (!run.shown_by(check)) return {};
  FaultSight sight{.position = playback.steps(), .words = "The run ends here."};
  if (check == FaultCheck::words) sight = sight_of_words(run, playback);
  if (check == FaultCheck::races) sight = sight_of_race(run, playback);
  sight.words = fmt::format("{}. {}", in_words(run, check), sight.words);
  return sight;
}

}  // namespace warpview
