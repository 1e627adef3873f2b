#include "app/common/lab_operations.h"

#include <fmt/format.h>

namespace warpview {

std::string lab_operations(const lab::Answer& answer) {
  if (answer.operations <= 0.0) return {};
  std::string words = answer.ms > 0.0
                          ? fmt::format("{:.2e} operations/s", answer.operations_per_s())
                          : fmt::format("{:.0f} operations", answer.operations);
  const char* separator = "; ";
  for (const lab::Occurrence& each : answer.occurrences) {
    words += fmt::format("{}{} {}", separator, each.what, each.times);
    separator = ", ";
  }
  return words;
}

}  // namespace warpview
