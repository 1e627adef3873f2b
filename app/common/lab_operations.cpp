#include "app/common/lab_operations.h"

#include <fmt/format.h>

#include <cmath>

#include "app/common/digits.h"

namespace warpview {

std::string lab_operations(const lab::Answer& answer) {
  if (answer.operations <= 0.0) return {};
  const char* const what = lab::experiment(answer.question.primitive).operations;
  std::string words = answer.ms > 0.0 ? fmt::format("{:.2e} {}/s", answer.operations_per_s(), what)
                                      : fmt::format("{:.0f} {}", answer.operations, what);
  const char* separator = "; ";
  for (const lab::Occurrence& each : answer.occurrences) {
    words += fmt::format("{}{} {}", separator, each.what, each.times);
    separator = ", ";
  }
  if (!answer.busy.shares.empty())
    words += fmt::format("{}busy blocks {:.0f}%", separator, 100.0 * answer.busy.mean());
  return words;
}

std::string lab_facts(const lab::Answer& answer) {
  std::string words;
  for (const lab::Fact& fact : answer.facts) {
    const bool whole = fact.value == std::floor(fact.value);
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", fact.what,
                         whole ? fmt::format("{:.0f}", fact.value) : three_digits(fact.value));
    if (*fact.unit != '\0') words += fmt::format(" {}", fact.unit);
  }
  return words;
}

Change against_library(const lab::Answer& answer) {
  if (is_library(*answer.variant)) return {};
  const lab::LibraryTimes& library = answer.library;
  return change_of({.median = library.ms,
                    .quartile_1 = library.quartile_1_ms,
                    .quartile_3 = library.quartile_3_ms,
                    .runs = static_cast<std::size_t>(library.runs)},
                   {.median = answer.ms,
                    .quartile_1 = answer.quartile_1_ms,
                    .quartile_3 = answer.quartile_3_ms,
                    .runs = static_cast<std::size_t>(answer.runs)});
}

std::string device_in_plots(const DeviceInfo& device) {
  return device.backend == Backend::cpu ? device.name + ", kernels emulated, host code native"
                                        : device.name;
}

}  // namespace warpview
