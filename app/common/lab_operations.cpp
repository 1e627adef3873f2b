#include "app/common/lab_operations.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string against_library(const lab::Answer& answer) {
  const double speed_up = answer.of_library();
  if (!(speed_up > 0.0) || !std::isfinite(speed_up) || is_library(answer.row)) return {};
  const std::string digits = three_digits(std::max(speed_up, 1.0 / speed_up));
  if (digits == "1.00") return "as fast";
  return digits + (speed_up > 1.0 ? " x faster" : " x slower");
}

}  // namespace warpview
