#include "app/lab_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/common/module_build.h"
#include "app/common/recorded_lines.h"
#include "app/lab_record.h"
#include "gpu/faults/faults.h"

namespace warpview {
namespace {

void list_faults() {
  fmt::print(
      "Kernels that are wrong on purpose, for the cpu device alone (gpu/faults/kernels).\n"
      "Where is the bug? Run one with: warpview lab faults --variant NAME --form FORM\n");
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
                      "For example: warpview lab faults --variant missing_barrier --form war "
                      "--seeds 100");
  };
  if (options.backend && *options.backend != Backend::cpu) refuse("only the cpu device runs them");
  if (!asked.primitives.empty()) refuse("it takes no primitive");
  if (asked.variants.size() > 1) refuse("it takes one variant");
  if (asked.forms.size() > 1) refuse("it takes one form");
  if (!asked.sizes.empty() || asked.distribution) refuse("each fault has its own input");
  if (asked.only_verify || asked.counters || asked.runs > 0 || !asked.plot.empty() ||
      !asked.busy.empty() || asked.format != LabOptions::Format::table)
    refuse("it measures no times and no counts");
  if (asked.variants.empty() && (!asked.forms.empty() || asked.seeds || !asked.record.empty()))
    refuse("name the fault by --variant");
}

// How often a check shows something, and where first.
struct Shown {
  unsigned count = 0;
  std::uint64_t seed = 0;
  std::string words;  // of the first run
};

std::string words_of(const FaultRun& run, FaultCheck check) {
  switch (check) {
    case FaultCheck::words:
      return fmt::format("out[{}] is {}, expected {}", run.wrong->index,
                         static_cast<std::int32_t>(run.wrong->is),
                         static_cast<std::int32_t>(run.wrong->expected));
    case FaultCheck::report:
      return run.report;
    case FaultCheck::races:
      return in_words(run.recording, run.races.front());
    case FaultCheck::none:
      break;
  }
  return {};
}

constexpr FaultCheck checks[] = {FaultCheck::words, FaultCheck::report, FaultCheck::races};

struct Tally {
  Shown shown[std::size(checks)];
  std::optional<FaultRun> first;  // that the row's own check shows; of a right form any
  std::uint64_t first_seed = 0;
};

void look_at(FaultRun run, const FaultForm& form, std::uint64_t seed, Tally& tally) {
  for (std::size_t i = 0; i < std::size(checks); ++i) {
    if (!run.shown_by(checks[i])) continue;
    Shown& shown = tally.shown[i];
    if (shown.count++ > 0) continue;
    shown.seed = seed;
    if (const std::string why = find_lines(run.recording); !why.empty())
      fmt::print(stderr, "warpview: the recording has no source lines: {}\n", why);
    shown.words = words_of(run, checks[i]);
  }
  if (!tally.first && (form.check == FaultCheck::none || run.shown_by(form.check))) {
    find_lines(run.recording);
    tally.first = std::move(run);
    tally.first_seed = seed;
  }
}

void record_first(Tally& tally, const std::filesystem::path& file,
                  std::optional<std::uint32_t> step) {
  if (!tally.first) {
    fmt::print("No run showed the fault, so none was recorded.\n");
  } else if (tally.first->recording.events.empty()) {
    fmt::print("The run with seed {} has more events than a recording holds.\n", tally.first_seed);
  } else {
    write_recording(std::make_shared<const Recording>(std::move(tally.first->recording)), file,
                    step);
    fmt::print("{}: the run with seed {}\n", file.string(), tally.first_seed);
  }
}

// Was everything as the row says?
bool tell_tally(const FaultForm& form, const Tally& tally, std::uint64_t first, unsigned seeds) {
  fmt::print("Seeds {} to {}:\n", first, first + seeds - 1);
  bool all_right = form.check == FaultCheck::none;
  for (std::size_t i = 0; i < std::size(checks); ++i) {
    const Shown& shown = tally.shown[i];
    if (form.check == FaultCheck::none) all_right = all_right && shown.count == 0;
    if (form.check == checks[i]) all_right = shown.count > 0;
    if (shown.count == 0)
      fmt::print("  {}: in none\n", in_words(checks[i]));
    else
      fmt::print("  {}: in {} of {}, first with seed {}\n      {}\n", in_words(checks[i]),
                 shown.count, seeds, shown.seed, shown.words);
  }
  fmt::print("{}\n", form.answer);
  if (form.check != FaultCheck::none) fmt::print("Shown by: {}\n", in_words(form.check));
  return all_right;
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
             form.check == FaultCheck::none ? "the right twin" : "wrong on purpose", fault.task);
  const std::uint64_t first = std::max<std::uint64_t>(options.cpu.seed, 1);
  const unsigned seeds = asked.seeds.value_or(100);
  CpuOptions cpu = options.cpu;
  Tally tally;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    cpu.seed = seed;
    look_at(run_fault(form, cpu, asked.interleave, asked.seed), form, seed, tally);
  }
  const bool all_right = tell_tally(form, tally, first, seeds);
  if (!asked.record.empty()) record_first(tally, asked.record, asked.step);
  return all_right ? exit_success : exit_verify;
}

}  // namespace warpview
