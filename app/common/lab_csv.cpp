#include "app/common/lab_csv.h"

#include <fmt/format.h>

#include <initializer_list>

#include "app/common/csv.h"

namespace warpview {
namespace {

std::string number(double value) { return value > 0.0 ? fmt::format("{:.6g}", value) : ""; }

std::string line(std::initializer_list<std::string> fields) {
  return csv_line({fields.begin(), fields.size()});
}

}  // namespace

std::string lab_csv_header() {
  return line({"primitive", "form", "distribution", "items", "seed", "variant", "available",
               "verified", "ms", "quartile_1_ms", "quartile_3_ms", "runs", "bytes_needed",
               "bytes_moved", "gb_per_s", "copy_gb_per_s", "copy_share", "of_library",
               "difference"});
}

std::string lab_csv_line(const lab::Answer& answer) {
  const lab::Question& question = answer.question;
  const auto& forms = lab::experiment(question.primitive).forms;
  const bool available = answer.why_not.empty();
  return line({to_string(question.primitive), forms[static_cast<std::size_t>(question.form)].name,
               lab::to_string(question.distribution), std::to_string(question.n),
               std::to_string(question.seed), (*answer.variant)->name, available ? "yes" : "no",
               answer.verified ? "yes" : "no", number(answer.ms), number(answer.quartile_1_ms),
               number(answer.quartile_3_ms), answer.runs > 0 ? std::to_string(answer.runs) : "",
               number(answer.bytes), number(answer.bytes_moved), number(answer.gb_per_s()),
               number(answer.copy_gb_per_s), number(answer.copy_share()),
               number(answer.of_library()), available ? answer.difference : answer.why_not});
}

std::string lab_csv(std::span<const lab::Answer> answers) {
  std::string text = lab_csv_header();
  for (const lab::Answer& answer : answers) text += lab_csv_line(answer);
  return text;
}

}  // namespace warpview
