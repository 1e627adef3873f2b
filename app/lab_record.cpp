#include "app/lab_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/digits.h"
#include "app/common/module_build.h"
#include "app/common/recorded_lines.h"
#include "gpu/lab/record.h"
#include "gpu/recording/file.h"
#include "gpu/recording/races.h"
#include "gpu/runtime/recorded_device.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

constexpr std::uint32_t usual_items = 1024;

// The one run that is asked for.
struct Run {
  lab::Question question;
  VariantId variant;
};

Run run_of(const LabOptions& asked) {
  const auto refuse = [&asked](const char* what) {
    throw ChoiceError("--record " + asked.record.string(), what,
                      "For example: warpview lab scan --variant lookback --sizes 4096 --record "
                      "scan.wvrec");
  };
  if (asked.primitives.size() != 1) refuse("it takes one primitive");
  if (asked.variants.size() != 1) refuse("it takes one variant");
  if (asked.forms.size() > 1 || (asked.forms.size() == 1 && asked.forms.front() == "all"))
    refuse("it takes one form");
  if (asked.sizes.size() > 1) refuse("it takes one size");
  const Primitive primitive = asked.primitives.front();
  const lab::ExperimentKind& kind = lab::experiment(primitive);
  return {
      .question = {.primitive = primitive,
                   .form = asked.forms.empty() ? 0 : lab::find_form(primitive, asked.forms.front()),
                   .distribution = asked.distribution.value_or(kind.distributions.front()),
                   .n = asked.sizes.empty() ? usual_items : asked.sizes.front(),
                   .seed = asked.seed},
      .variant = find_variant(primitive, asked.variants.front())};
}

void tell(const Recording& recording, std::size_t bytes, const std::filesystem::path& file,
          double seconds) {
  const std::size_t events = recording.events.size();
  fmt::print("{}: {} {}, {}, {} {}: {} events, {} bytes ({:.1f} an event), {:.2f} s\n",
             file.string(), recording.primitive, recording.variant, recording.form,
             group_digits(recording.items),
             lab::experiment(find_primitive(recording.primitive)).items, group_digits(events),
             group_digits(bytes),
             events == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(events), seconds);
  if (recording.launches.empty() && recording.items == 0)
    fmt::print("Without items the variant launches no kernel.\n");
  else if (recording.launches.empty())
    fmt::print("The variant runs on the host: only what it wrote is recorded.\n");
}

void tell_races(const Recording& recording) {
  constexpr std::size_t most = 10;
  const std::vector<Race> races = find_races(recording);
  if (races.empty()) {
    fmt::print("No data races\n");
    return;
  }
  fmt::print("{} data race{}:\n", races.size(), races.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(races.size(), most); ++i)
    fmt::print("  {}\n", in_words(recording, races[i]));
  if (races.size() > most) fmt::print("  and {} more\n", races.size() - most);
}

}  // namespace

std::size_t write_recording(const Recording& recording, const std::filesystem::path& file) {
  if (file.extension() == ".json") {
    const std::string text = recording_as_json(recording);
    write_whole_file(file, text);
    return text.size();
  }
  const std::vector<std::uint8_t> bytes = packed(recording);
  write_whole_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return bytes.size();
}

int run_lab_record(const Options& options) {
  const LabOptions& asked = options.lab;
  if (options.backend && *options.backend != Backend::cpu)
    throw ChoiceError("--record", "only the cpu device records",
                      "Leave out --backend " + std::string(to_string(*options.backend)));
  const Run run = run_of(asked);
  build_module(recording_module,
               [](const std::string& words) { fmt::print(stderr, "{}\n", words); });
  const auto device = open_recorded_device(options.cpu, asked.interleave);
  const auto begin = std::chrono::steady_clock::now();
  lab::Recorded recorded = lab::record(*device, run.question, run.variant);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (const std::string why = find_lines(recorded.recording); !why.empty())
    fmt::print(stderr, "warpview: the recording has no lines of the sources: {}\n", why);
  const std::size_t bytes = write_recording(recorded.recording, asked.record);
  tell(recorded.recording, bytes, asked.record, seconds.count());
  tell_races(recorded.recording);
  if (recorded.difference.empty()) return exit_success;
  fmt::print("WRONG: {}\n", recorded.difference);
  return exit_verify;
}

}  // namespace warpview
