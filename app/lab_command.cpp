#include "app/lab_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "app/lab_counters.h"
#include "app/lab_csv.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/backends.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;
using lab::Answer;
using lab::ExperimentKind;
using lab::Question;

const Variant& variant_of(const Answer& answer) {
  return variants()[static_cast<std::size_t>(answer.row)];
}

const char* form_of(const Question& question) {
  return lab::experiment(question.primitive).forms[static_cast<std::size_t>(question.form)].name;
}

std::vector<Primitive> primitives_of(const LabOptions& asked) {
  if (!asked.primitives.empty()) return asked.primitives;
  std::vector<Primitive> all;
  all.reserve(primitive_count);
  for (int p = 0; p < primitive_count; ++p) all.push_back(static_cast<Primitive>(p));
  return all;
}

std::vector<std::uint32_t> sizes_of(const LabOptions& asked, const Device& device) {
  if (!asked.sizes.empty()) return asked.sizes;
  if (asked.counters) return {1U << 12U};
  if (device.info().backend == Backend::cpu) return {1U << 12U, 1U << 16U};
  return {1U << 12U, 1U << 16U, 1U << 20U, 1U << 24U};
}

// The forms of one primitive that are asked for: the first where none is named.
std::vector<int> forms_of(const LabOptions& asked, const ExperimentKind& kind) {
  if (asked.forms.empty()) return {0};
  std::vector<int> forms;
  for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
    const std::string_view name = kind.forms[static_cast<std::size_t>(form)].name;
    if (std::any_of(asked.forms.begin(), asked.forms.end(),
                    [name](const std::string& word) { return word == "all" || word == name; }))
      forms.push_back(form);
  }
  return forms;
}

// Everything that is asked for. A distribution that a primitive does not know is left out.
std::vector<Question> questions_of(const LabOptions& asked, const Device& device) {
  std::vector<Question> questions;
  for (const Primitive primitive : primitives_of(asked)) {
    const ExperimentKind& kind = lab::experiment(primitive);
    const lab::Distribution distribution = asked.distribution.value_or(kind.distributions.front());
    if (std::find(kind.distributions.begin(), kind.distributions.end(), distribution) ==
        kind.distributions.end()) {
      fmt::print(stderr, "warpview: {}: no input is {}\n", to_string(primitive),
                 to_string(distribution));
      continue;
    }
    for (const int form : forms_of(asked, kind))
      for (const std::uint32_t n : sizes_of(asked, device))
        questions.push_back({.primitive = primitive,
                             .form = form,
                             .distribution = distribution,
                             .n = n,
                             .seed = asked.seed});
  }
  return questions;
}

void check_forms(const LabOptions& asked) {
  for (const std::string& word : asked.forms) {
    bool known = word == "all";
    std::string names;
    for (const Primitive primitive : primitives_of(asked))
      for (const lab::Form& form : lab::experiment(primitive).forms) {
        known = known || word == form.name;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", form.name);
      }
    if (!known)
      throw UsageError("--form " + word, "the primitives asked for have no such form",
                       "Choose among all, " + names);
  }
}

// Takes up the question and measures; where the input does not fit, one answer a row says so.
std::vector<Answer> answers_to(lab::Laboratory& laboratory, const Question& question,
                               bool only_verify) {
  std::vector<Answer> answers;
  try {
    laboratory.ask(question);
  } catch (const Error& error) {
    for (const int row : variants_of(question.primitive)) {
      Answer answer{.question = question, .row = row};
      answer.why_not = error.what();
      answers.push_back(std::move(answer));
    }
    return answers;
  }
  for (const int row : laboratory.rows()) {
    fmt::print(stderr, "{} {} {} {}\n", to_string(question.primitive), form_of(question),
               question.n, variants()[static_cast<std::size_t>(row)].name);
    answers.push_back(only_verify ? laboratory.verify(row) : laboratory.measure(row));
  }
  return answers;
}

std::string time_now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time({}))); }

std::string verdict_of(const Answer& answer) {
  if (!answer.why_not.empty()) return answer.why_not;
  if (!answer.difference.empty()) return "WRONG: " + answer.difference;
  return {};
}

void print_table(const std::vector<Answer>& answers, const Device& device) {
  const DeviceInfo& info = device.info();
  fmt::print("{} ({}), {}, {}\n", info.name, to_string(info.backend), info.driver, time_now());
  const Question* last = nullptr;
  for (const Answer& answer : answers) {
    const Question& question = answer.question;
    if (!last || *last != question) {
      fmt::print("\n{}, {}: {} {}, {}\n", title(question.primitive), form_of(question), question.n,
                 lab::experiment(question.primitive).items, to_string(question.distribution));
      fmt::print("  {:<24} {:>11} {:>10} {:>9} {:>11}\n", "variant", "ms", "GB/s", "of copy",
                 "of library");
    }
    last = &question;
    const char* name = variant_of(answer).name;
    if (const std::string verdict = verdict_of(answer); !verdict.empty()) {
      fmt::print("  {:<24} {}\n", name, verdict);
    } else if (answer.runs == 0) {
      fmt::print("  {:<24} verified\n", name);
    } else {
      fmt::print("  {:<24} {:>11.4f} {:>10.1f} {:>9.3f} {:>11}\n", name, answer.ms,
                 answer.gb_per_s(), answer.copy_share(),
                 answer.library_ms > 0 ? fmt::format("{:.3f}", answer.of_library()) : "");
    }
  }
  fmt::print(
      "\nms: median, cold caches, device events. GB/s: fewest bytes the algorithm must move over "
      "the time.\nof copy: over a device-to-device copy of as many bytes. of library: the "
      "library's time over the\nvariant's; above 1 it is faster.\n");
}

Json answer_as_json(const Answer& answer) {
  const Question& question = answer.question;
  Json json = {{"primitive", to_string(question.primitive)},
               {"form", form_of(question)},
               {"distribution", to_string(question.distribution)},
               {"items", question.n},
               {"seed", question.seed},
               {"variant", variant_of(answer).name},
               {"available", answer.why_not.empty()},
               {"verified", answer.verified}};
  if (!answer.why_not.empty()) json["why_not"] = answer.why_not;
  if (!answer.difference.empty()) json["difference"] = answer.difference;
  if (!answer.counters.empty()) json["counters"] = counters_as_json(answer.counters);
  if (answer.runs > 0) {
    json["ms"] = answer.ms;
    json["runs"] = answer.runs;
    json["bytes"] = answer.bytes;
    json["gb_per_s"] = answer.gb_per_s();
    json["copy_gb_per_s"] = answer.copy_gb_per_s;
    json["copy_share"] = answer.copy_share();
    if (answer.library_ms > 0) json["of_library"] = answer.of_library();
  }
  return json;
}

void print_json(const std::vector<Answer>& answers, const Device& device) {
  const DeviceInfo& info = device.info();
  Json results = Json::array();
  for (const Answer& answer : answers) results.push_back(answer_as_json(answer));
  const Json whole = {{"version", WARPVIEW_VERSION}, {"backend", to_string(info.backend)},
                      {"device", info.name},         {"driver", info.driver},
                      {"date", time_now()},          {"results", std::move(results)}};
  fmt::print("{}\n", whole.dump(1, ' ', false, Json::error_handler_t::replace));
}

std::unique_ptr<Device> open_lab_device(const Options& options) {
  if (!options.lab.counters) return open_device(options);
  if (options.backend && *options.backend != Backend::cpu)
    throw UsageError("--counters", "counts are taken on the cpu only",
                     "Leave out --backend " + std::string(to_string(*options.backend)));
  return open_counted_device(options.cpu, options.lab.banks);
}

}  // namespace

int run_lab(const Options& options) {
  const LabOptions& asked = options.lab;
  check_forms(asked);
  const auto device = open_lab_device(options);
  lab::Laboratory laboratory(*device, asked.runs);
  std::vector<Answer> answers;
  for (const Question& question : questions_of(asked, *device)) {
    const auto more = answers_to(laboratory, question, asked.only_verify || asked.counters);
    answers.insert(answers.end(), more.begin(), more.end());
  }
  switch (asked.format) {
    case LabOptions::Format::table:
      if (asked.counters)
        fmt::print("{}", counters_as_text(answers, options.cpu.warp_size, asked.banks));
      else
        print_table(answers, *device);
      break;
    case LabOptions::Format::json:
      print_json(answers, *device);
      break;
    case LabOptions::Format::csv:
      fmt::print("{}", lab_csv(answers));
      break;
  }
  const bool all_right = std::all_of(answers.begin(), answers.end(), [](const Answer& answer) {
    return answer.difference.empty();
  });
  return all_right ? exit_success : exit_verify;
}

}  // namespace warpview
