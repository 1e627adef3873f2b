#include "app/fault_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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
    const std::size_t blank = report.find_last_of(" (", at);
    const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
    report.erase(begin, at + 1 - begin);
  }
  return report;
}

FaultRun run_once(const FaultQuestion& asked, CpuOptions options, std::uint64_t seed) {
  options.seed = seed;
  return run_fault(*asked.form, options, asked.interleave, asked.input_seed);
}

bool is_same_place(const RecordedEvent& one, const RecordedEvent& other) {
  return one.kind == other.kind && one.subject == other.subject && one.offset == other.offset &&
         one.bytes == other.bytes;
}

// Indices of events by block and thread, each lane's in the order of its program.
using Accesses = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>>;

Accesses accesses_of(const Recording& recording) {
  Accesses accesses;
  for (std::size_t i = 0; i < recording.events.size(); ++i)
    if (const RecordedEvent& event = recording.events[i]; is_access(event.kind))
      accesses[{event.block, event.thread}].push_back(i);
  return accesses;
}

// The last write before the event to the word that it reads; none if no lane wrote it before.
std::optional<std::size_t> write_before(const Recording& recording, std::size_t read) {
  const RecordedEvent& reader = recording.events[read];
  const bool is_shared = recording.arrays[reader.subject].kind == ArrayKind::shared;
  for (std::size_t i = read; i-- > 0;) {
    const RecordedEvent& event = recording.events[i];
    if (is_access(event.kind) && !is_read(event.kind) && event.subject == reader.subject &&
        event.offset == reader.offset && (!is_shared || event.block == reader.block))
      return i;
  }
  return std::nullopt;
}

// The write that raced with a read of the run. `read_of_twin` is the same read in the right twin.
std::optional<StrayRead> racing_write(const Recording& run, std::size_t read, const Recording& twin,
                                      std::size_t read_of_twin) {
  const auto meant_in_twin = write_before(twin, read_of_twin);
  if (!meant_in_twin) return std::nullopt;
  // This write in the run is the lane's access of the same number.
  const RecordedEvent& meant = twin.events[*meant_in_twin];
  const auto of_lane = [&](const Recording& recording) {
    return accesses_of(recording)[{meant.block, meant.thread}];
  };
  const auto in_twin = of_lane(twin);
  const auto in_run = of_lane(run);
  const auto number = static_cast<std::size_t>(
      std::lower_bound(in_twin.begin(), in_twin.end(), *meant_in_twin) - in_twin.begin());
  if (number >= in_run.size() || !is_same_place(run.events[in_run[number]], meant))
    return std::nullopt;
  if (in_run[number] > read) return StrayRead{read, in_run[number]};
  const auto last = write_before(run, read);
  return last ? std::optional(StrayRead{read, *last}) : std::nullopt;
}

// Values that an atomic returns may differ in correct runs, too: then none is found.
std::optional<StrayRead> find_stray_read(const FaultRun& run, const Recording& right_twin) {
  const Recording& recording = run.recording;
  const Accesses of_twin = accesses_of(right_twin);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> passed;  // by lane
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const RecordedEvent& event = recording.events[i];
    if (!is_access(event.kind)) continue;
    const std::pair lane(event.block, event.thread);
    const auto same = of_twin.find(lane);
    const std::size_t number = passed[lane]++;
    if (same == of_twin.end() || number >= same->second.size()) return std::nullopt;
    const RecordedEvent& meant = right_twin.events[same->second[number]];
    if (!is_same_place(event, meant)) return std::nullopt;
    if (event.value == meant.value) continue;
    const bool is_raced_for =
        std::any_of(run.races.begin(), run.races.end(),
                    [&](const Race& race) { return race.array == event.subject; });
    if (event.kind != EventKind::read || !is_raced_for) return std::nullopt;
    return racing_write(recording, i, right_twin, same->second[number]);
  }
  return std::nullopt;
}

FaultSight sight_of_stray(const FaultRun& run, const StrayRead& stray, const Playback& at_end) {
  const Recording& recording = run.recording;
  const RecordedEvent& write = recording.events[stray.write];
  const RecordedArray& array = recording.arrays[write.subject];
  const bool is_late = stray.read < stray.write;
  const std::uint32_t element = write.offset / array.element_bytes;
  return {.position = at_end.step_of(stray.write) + 1,
          .words = fmt::format("The run goes wrong here: this step {} {}[{}] {} thread {} {} it.",
                               is_late ? "writes" : "overwrites", array.name, element,
                               is_late ? "after" : "before", recording.events[stray.read].thread,
                               is_late ? "has read" : "reads"),
          .word = Word{write.subject, element, array.kind == ArrayKind::shared ? write.block : 0}};
}

FaultSight sight_of_words(const RepeatedRun& run, const Playback& at_end) {
  if (run.stray) return sight_of_stray(run, *run.stray, at_end);
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

RepeatedRun repeat_run(const FaultQuestion& asked, const CpuOptions& options, std::uint64_t seed,
                       std::string& no_lines) {
  RepeatedRun run{run_once(asked, options, seed)};
  if (run.recording.events.empty())
    throw Error(fmt::format("the run with seed {}", seed),
                "it has more events than a recording holds", "Choose another seed");
  no_lines = find_lines(run.recording);
  if (run.wrong) {
    FaultQuestion twin = asked;
    twin.form = &right_twin(*asked.form);
    run.stray = find_stray_read(run, run_once(twin, options, seed).recording);
  }
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

FaultSight sight_of(const RepeatedRun& run, FaultCheck check, Playback& playback) {
  playback.seek(playback.steps());
  if (!run.shown_by(check)) return {};
  FaultSight sight{.position = playback.steps(), .words = "The run ends here."};
  if (check == FaultCheck::words) sight = sight_of_words(run, playback);
  if (check == FaultCheck::races) sight = sight_of_race(run, playback);
  sight.words = fmt::format("{}. {}", in_words(run, check), sight.words);
  return sight;
}

}  // namespace warpview
