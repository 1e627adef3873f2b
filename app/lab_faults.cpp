#include "app/lab_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "app/common/module_build.h"
#include "app/fault_runs.h"
#include "app/lab_record.h"
#include "gpu/faults/faults.h"

namespace warpview {
namespace {

void list_faults() {
  fmt::print(
      "Kernels that are wrong on purpose, for the cpu device alone (gpu/faults/kernels).\n"
      "Where is the bug? Run one with: warpview lab faults NAME --form FORM\n");
  for (const Fault& fault : faults()) {
    std::string forms;
    for (const FaultForm* const form : forms_of(fault))
      forms += fmt::format("{}{}", forms.empty() ? "" : ", ", form->name);
    fmt::print("\n  {} ({})\n      {}\n      {}\n", fault.name, forms, fault.task, fault.source);
  }
}

// Refuses options that faults do not have.
void check(const Options& options) {
  const LabOptions& asked = options.lab;
  const auto refuse = [](const char* what) {
    throw ChoiceError("lab faults", what,
                      "For example: warpview lab faults missing_barrier --form war --seeds 100");
  };
  require_cpu(options, "lab faults", "only the cpu device runs them");
  if (!asked.primitives.empty()) refuse("it takes no primitive");
  if (asked.variants.size() > 1) refuse("it takes one fault");
  if (asked.forms.size() > 1) refuse("it takes one form");
  if (!asked.sizes.empty() || asked.distribution || !asked.mesh.empty())
    refuse("each fault has its own input");
  if (!asked.blocks.empty()) refuse("a fault is recorded with all of its blocks");
  if (asked.only_verify || asked.counters || asked.runs > 0 || !asked.plot.empty() ||
      !asked.busy.empty() || asked.format != LabOptions::Format::table)
    refuse("it measures no times and no counts");
  if (asked.variants.empty() && (!asked.forms.empty() || asked.seeds || !asked.record.empty()))
    refuse("name the fault");
}

// Records the first run that the row's check shows, or the first of a right form.
void record_first(const FaultTally& tally, const Options& options) {
  const FaultTally::Shown* const own = tally.own();
  if (own != nullptr && own->count == 0) {
    fmt::print("No run showed the fault, so none was recorded.\n");
    return;
  }
  const FaultQuestion& asked = tally.asked;
  const std::uint64_t seed = own == nullptr ? asked.first_seed : own->seed;
  std::string no_lines;
  const RepeatedRun run = repeat_run(asked, options.cpu, seed, no_lines);
  const auto recording = std::make_shared<const Recording>(run.recording);
  Playback playback(recording);
  std::optional<std::uint32_t> step = options.lab.step;
  std::string note = "This kernel is right: the twin of one that is wrong on purpose.";
  std::string shown;
  if (own != nullptr) {
    const FaultSight sight = sight_of(run, asked.form->check, playback);
    if (!step) step = static_cast<std::uint32_t>(sight.position);
    note = fmt::format("This kernel is wrong on purpose. Step {}: {}", sight.position, sight.words);
    shown = fmt::format("  --step {} of {}: {}\n", sight.position, playback.steps(), sight.words);
  }
  write_recording(recording, options.lab.record, step, note);
  fmt::print("{}: the run with seed {}\n{}", options.lab.record.string(), seed, shown);
}

// Prints what the checks show. Was everything as the row says?
bool tell_tally(const FaultTally& tally) {
  const FaultQuestion& asked = tally.asked;
  const FaultForm& form = *asked.form;
  if (!tally.no_lines.empty())
    fmt::print(stderr, "warpview: the recording has no source lines: {}\n", tally.no_lines);
  fmt::print("Seeds {} to {}:\n", asked.first_seed, asked.first_seed + asked.seeds - 1);
  for (std::size_t i = 0; i < tally.shown.size(); ++i) {
    const FaultTally::Shown& shown = tally.shown[i];
    const char* const check = in_words(FaultTally::checks[i]);
    if (shown.count == 0)
      fmt::print("  {}: in none\n", check);
    else
      fmt::print("  {}: in {} of {}, first with seed {}\n      {}\n", check, shown.count,
                 asked.seeds, shown.seed, shown.words);
  }
  fmt::print("{}\n", form.answer);
  if (!form.is_right()) fmt::print("Shown by: {}\n", in_words(form.check));
  return tally.is_as_expected();
}

}  // namespace

int run_lab_faults(const Options& options) {
  const LabOptions& asked = options.lab;
  check(options);
  if (asked.variants.empty()) {
    list_faults();
    return exit_success;
  }
  const Fault& fault = find_fault(asked.variants.front());
  const FaultForm& form =
      asked.forms.empty() ? *forms_of(fault).front() : find_form(fault, asked.forms.front());
  build_module(recording_module,
               [](const std::string& words) { fmt::print(stderr, "{}\n", words); });
  fmt::print("faults {}, {} ({}): {}\n", fault.name, form.name,
             form.is_right() ? "the right twin" : "wrong on purpose", fault.task);
  const FaultTally tally = run_seeds({.form = &form,
                                      .first_seed = std::max<std::uint64_t>(options.cpu.seed, 1),
                                      .seeds = asked.seeds.value_or(100),
                                      .interleave = asked.interleave,
                                      .input_seed = asked.seed},
                                     options.cpu);
  const bool all_right = tell_tally(tally);
  if (!asked.record.empty()) record_first(tally, options);
  return all_right ? exit_success : exit_verify;
}

}  // namespace warpview
