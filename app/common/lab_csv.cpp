#include "app/common/lab_csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/common/csv.h"

namespace warpview {
namespace {

std::string number(double value) { return value > 0.0 ? fmt::format("{:.6g}", value) : ""; }

// From 0; a field without a number is 0.
template <class Number>
bool read(const std::string& field, Number& number) {
  if (field.empty()) {
    number = 0;
    return true;
  }
  const char* const end = field.data() + field.size();
  const auto parsed = std::from_chars(field.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && number >= 0 &&
         std::isfinite(static_cast<double>(number));
}

bool read_answer(const std::string& field, bool& yes) {
  yes = field == "yes";
  return yes || field == "no";
}

}  // namespace

LabCsvRow lab_csv_row(const lab::Answer& answer) {
  const lab::Question& question = answer.question;
  const auto& forms = lab::experiment(question.primitive).forms;
  const bool available = answer.why_not.empty();
  return {.primitive = to_string(question.primitive),
          .form = forms[static_cast<std::size_t>(question.form)].name,
          .distribution = lab::to_string(question.distribution),
          .items = question.n,
          .seed = question.seed,
          .variant = (*answer.variant)->name,
          .available = available,
          .verified = answer.verified,
          .ms = answer.ms,
          .quartile_1_ms = answer.quartile_1_ms,
          .quartile_3_ms = answer.quartile_3_ms,
          .runs = answer.runs,
          .bytes = answer.bytes,
          .bytes_moved = answer.bytes_moved,
          .copy_gb_per_s = answer.copy_gb_per_s,
          .of_library = answer.of_library(),
          .difference = available ? answer.difference : answer.why_not};
}

std::vector<std::string> lab_csv_names() {
  return {"primitive",     "form",       "distribution", "items",       "seed",
          "variant",       "available",  "verified",     "ms",          "quartile_1_ms",
          "quartile_3_ms", "runs",       "bytes_needed", "bytes_moved", "gb_per_s",
          "copy_gb_per_s", "copy_share", "of_library",   "difference"};
}

std::vector<std::string> lab_csv_fields(const LabCsvRow& row) {
  return {row.primitive,
          row.form,
          row.distribution,
          std::to_string(row.items),
          std::to_string(row.seed),
          row.variant,
          row.available ? "yes" : "no",
          row.verified ? "yes" : "no",
          number(row.ms),
          number(row.quartile_1_ms),
          number(row.quartile_3_ms),
          row.runs > 0 ? std::to_string(row.runs) : "",
          number(row.bytes),
          number(row.bytes_moved),
          number(row.gb_per_s()),
          number(row.copy_gb_per_s),
          number(row.copy_share()),
          number(row.of_library),
          row.difference};
}

std::optional<LabCsvRow> read_lab_csv(std::span<const std::string> fields) {
  if (fields.size() != lab_csv_columns) return {};
  LabCsvRow row{.primitive = fields[0],
                .form = fields[1],
                .distribution = fields[2],
                .variant = fields[5],
                .difference = fields[18]};
  double from_others = 0.0;  // what follows from other columns
  const bool are_numbers = read(fields[3], row.items) && read(fields[4], row.seed) &&
                           read(fields[8], row.ms) && read(fields[9], row.quartile_1_ms) &&
                           read(fields[10], row.quartile_3_ms) && read(fields[11], row.runs) &&
                           read(fields[12], row.bytes) && read(fields[13], row.bytes_moved) &&
                           read(fields[14], from_others) && read(fields[15], row.copy_gb_per_s) &&
                           read(fields[16], from_others) && read(fields[17], row.of_library);
  const bool are_answers =
      read_answer(fields[6], row.available) && read_answer(fields[7], row.verified);
  if (!are_numbers || !are_answers || row.primitive.empty() || row.variant.empty()) return {};
  return row;
}

std::string lab_csv_header() { return csv_line(lab_csv_names()); }

std::string lab_csv_line(const lab::Answer& answer) {
  return csv_line(lab_csv_fields(lab_csv_row(answer)));
}

std::string lab_csv(std::span<const lab::Answer> answers) {
  std::string text = lab_csv_header();
  for (const lab::Answer& answer : answers) text += lab_csv_line(answer);
  return text;
}

}  // namespace warpview
