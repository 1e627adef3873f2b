#include "app/lab_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>

#include "app/common/busy_plot.h"
#include "app/common/digits.h"
#include "app/common/lab_csv.h"
#include "app/common/lab_json.h"
#include "app/common/lab_operations.h"
#include "app/common/module_build.h"
#include "app/common/plot_svg.h"
#include "app/common/sweep_plot.h"
#include "app/lab_counters.h"
#include "app/lab_faults.h"
#include "app/lab_record.h"
#include "app/panels/plot_view.h"
#include "gpu/lab/laboratory.h"
#include "gpu/lab/series.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;
using lab::Answer;
using lab::ExperimentKind;
using lab::Question;

const Variant& variant_of(const Answer& answer) { return **answer.variant; }

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
  if (!asked.typed.empty()) return {static_cast<std::uint32_t>(asked.typed.size())};
  if (!asked.sizes.empty()) return asked.sizes;
  if (asked.counters) return {1U << 14U};
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

// Everything that is asked for. An input that a primitive does not take is left out, with a
// message. Error if typed numbers are left out everywhere.
std::vector<Question> questions_of(const LabOptions& asked, const Device& device) {
  std::vector<Question> questions;
  std::string refused;
  const auto add = [&](Question question) {
    if (!asked.typed.empty()) lab::type_input(question, asked.typed);
    if (refused = lab::why_not_input(question); refused.empty())
      questions.push_back(std::move(question));
    else
      fmt::print(stderr, "warpview: {}: {}\n", to_string(question.primitive), refused);
  };
  for (const Primitive primitive : primitives_of(asked)) {
    const ExperimentKind& kind = lab::experiment(primitive);
    const lab::Distribution distribution = asked.distribution.value_or(kind.distributions.front());
    if (!lab::is_readable(distribution) &&
        std::find(kind.distributions.begin(), kind.distributions.end(), distribution) ==
            kind.distributions.end()) {
      fmt::print(stderr, "warpview: {}: no {} input\n", to_string(primitive),
                 to_string(distribution));
      continue;
    }
    for (const int form : forms_of(asked, kind))
      for (const std::uint32_t n : sizes_of(asked, device))
        add({.primitive = primitive,
             .form = form,
             .distribution = distribution,
             .n = n,
             .seed = asked.seed});
  }
  if (questions.empty() && !asked.typed.empty())
    throw ChoiceError("--input", refused, "Choose other numbers, another form or primitive");
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
      throw ChoiceError("--form " + word, "none of the requested primitives has this form",
                        "Choose among all, " + names);
  }
}

void check_variants(const LabOptions& asked) {
  for (const std::string& name : asked.variants) {
    std::string names;
    bool known = false;
    for (const Primitive primitive : primitives_of(asked))
      for (const VariantId variant : variants_of(primitive)) {
        known = known || name == variant->name;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", variant->name);
      }
    if (!known)
      throw ChoiceError("--variant " + name, "none of the requested primitives has this variant",
                        "Choose among " + names);
  }
}

bool is_asked(const LabOptions& asked, VariantId variant) {
  const auto& names = asked.variants;
  return names.empty() || std::find(names.begin(), names.end(), variant->name) != names.end();
}

std::string verdict_of(const Answer& answer) {
  if (!answer.why_not.empty()) return answer.why_not;
  if (!answer.difference.empty()) return "WRONG: " + answer.difference;
  return {};
}

Json answer_as_json(const Answer& answer) {
  Json json = lab_json_answer(answer);
  if (!answer.counters.empty()) json["counters"] = counters_as_json(answer.counters);
  return json;
}

// Prints the answers one by one, as they come: what a long run has measured is there already,
// should it be cut short.
class Printer {
 public:
  virtual ~Printer() = default;
  virtual void begin(const Device& device) = 0;
  virtual void print(const Answer& answer) = 0;
  virtual void end() = 0;
};

class TablePrinter : public Printer {
 public:
  void begin(const Device& device) override {
    const DeviceInfo& info = device.info();
    backend_ = info.backend;
    fmt::print("{} ({}), {}, {}, {}\n", info.name, to_string(info.backend), info.driver,
               device.table().built_with, lab_date());
  }
  void print(const Answer& answer) override {
    if (last_ != answer.question) print_question(answer.question);
    last_ = answer.question;
    const char* name = variant_of(answer).name;
    if (const std::string verdict = verdict_of(answer); !verdict.empty()) {
      fmt::print("  {:<24} {}\n", name, verdict);
    } else if (answer.runs == 0) {
      fmt::print("  {:<24} verified\n", name);
    } else {
      fmt::print("  {:<24} {:>11.4f} {:>17} {:>5} {:>10.1f} {:>9.3f} {:>6.2f} x  {}\n", name,
                 answer.ms,
                 fmt::format("{:.4f}-{:.4f}", answer.quartile_1_ms, answer.quartile_3_ms),
                 answer.runs, answer.gb_per_s(), answer.copy_share(), answer.moves(),
                 runs_on_host(*answer.variant, backend_) ? native_in_words
                                                         : against_library(answer).words());
    }
    for (const std::string& words : {lab_operations(answer), lab_facts(answer)})
      if (!words.empty()) fmt::print("  {:<24} {}\n", "", words);
  }
  void end() override {
    fmt::print(
        "\nms: median of the runs, cold caches, device events. GB/s: minimum bytes (input read "
        "once, output written\nonce) / time. of memcpy: GB/s / that of a device-to-device copy of "
        "as many bytes, cold caches. traffic: bytes\nthat the variant moves / minimum bytes. vs "
        "library: the library's median / the variant's; in brackets the\nrange from the closest to "
        "the farthest quartiles.\n");
    if (backend_ == Backend::cpu)
      fmt::print(
          "The cpu device emulates kernels, and the library is native: compare counts "
          "(--counters), not speed.\n");
  }

 private:
  static void print_question(const Question& question) {
    fmt::print("\n{}, {}: {} {}, {}\n", title(question.primitive), form_of(question),
               group_digits(question.n), lab::experiment(question.primitive).items,
               to_string(question.distribution));
    fmt::print("  {:<24} {:>11} {:>17} {:>5} {:>10} {:>9} {:>8}  {}\n", "variant", "ms",
               "quartiles", "runs", "GB/s", "of memcpy", "traffic", "vs library");
  }

  std::optional<Question> last_;
  Backend backend_ = Backend::cpu;
};

class CsvPrinter : public Printer {
 public:
  void begin(const Device& /*device*/) override { fmt::print("{}", lab_csv_header()); }
  void print(const Answer& answer) override { fmt::print("{}", lab_csv_line(answer)); }
  void end() override {}
};

// One object; an answer is a line of its array.
class JsonPrinter : public Printer {
 public:
  void begin(const Device& device) override {
    const Json head = lab_json_head(device.info(), device.table().built_with);
    std::string text = dumped(head, 1);
    text.erase(text.rfind('\n'));  // the closing brace comes at the end
    fmt::print("{},\n \"results\": [", text);
  }
  void print(const Answer& answer) override {
    fmt::print("{}\n  {}", is_first_ ? "" : ",", dumped(answer_as_json(answer), -1));
    is_first_ = false;
  }
  void end() override { fmt::print("\n ]\n}}\n"); }

 private:
  static std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
  }

  bool is_first_ = true;
};

// Tables of counters are printed at the end.
class CountersPrinter : public Printer {
 public:
  explicit CountersPrinter(const Options& options) : options_(options) {}
  void begin(const Device& /*device*/) override {}
  void print(const Answer& answer) override { answers_.push_back(answer); }
  void end() override {
    fmt::print("{}", counters_as_text(answers_, options_.cpu.warp_size, options_.lab.banks));
  }

 private:
  const Options& options_;
  std::vector<Answer> answers_;
};

std::unique_ptr<Printer> make_printer(const Options& options) {
  switch (options.lab.format) {
    case LabOptions::Format::json:
      return std::make_unique<JsonPrinter>();
    case LabOptions::Format::csv:
      return std::make_unique<CsvPrinter>();
    case LabOptions::Format::table:
      break;
  }
  if (options.lab.counters) return std::make_unique<CountersPrinter>(options);
  return std::make_unique<TablePrinter>();
}

// Answers the question; where its input does not fit, one answer a variant says so.
void answer(lab::Laboratory& laboratory, const Question& question, const LabOptions& asked,
            const std::function<void(Answer)>& tell) {
  const lab::Audience audience = {
      .wants = [&asked](VariantId variant) { return is_asked(asked, variant); },
      .begin =
          [](const Question& of, VariantId variant) {
            fmt::print(stderr, "{} {} {} {}\n", to_string(of.primitive), form_of(of), of.n,
                       variant->name);
          },
      .tell = tell,
      .only_verify = asked.only_verify || asked.counters};
  std::string refused;
  try {
    lab::answer(laboratory, question, audience);
    return;
  } catch (const Error& error) {
    refused = error.what();
  }
  for (const VariantId variant : variants_of(question.primitive))
    if (is_asked(asked, variant))
      tell(Answer{.question = question, .variant = variant, .why_not = refused});
}

// A plot is of one primitive in one form: throws where more are asked for, or nothing is timed.
void check_plot(const LabOptions& asked) {
  const auto check = [&asked](const char* option, const std::filesystem::path& file,
                              const char* example) {
    if (file.empty()) return;
    if (asked.primitives.size() != 1 ||
        forms_of(asked, lab::experiment(asked.primitives.front())).size() != 1)
      throw ChoiceError(option + (' ' + file.string()), "a plot takes one primitive in one form",
                        std::string("Name one, for example: warpview lab ") + example);
  };
  check("--plot", asked.plot, "scan --form sum_u32 --plot scan.svg");
  const char* const busy = "schedule --form wide --sizes 2^16 --busy busy.svg";
  check("--busy", asked.busy, busy);
  if (asked.busy.empty()) return;
  if (!lab::experiment(asked.primitives.front()).tells_busy || asked.sizes.size() != 1)
    throw ChoiceError("--busy " + asked.busy.string(),
                      "it takes one size of a primitive that records busy blocks",
                      std::string("Name one, for example: warpview lab ") + busy);
}

void write_plot(const std::filesystem::path& file, const Plot& plot) {
  constexpr int width = 900;
  constexpr int height = 560;
  constexpr int pixels = 2;  // of a picture, each way
  if (file.empty()) return;
  if (file.extension() == ".svg")
    write_whole_file(file, plot_as_svg(plot, width, height));
  else
    write_png(file, plot_picture(plot, pixels * width, pixels * height, Theme::dark));
}

std::unique_ptr<Device> open_lab_device(const Options& options) {
  if (!options.lab.counters) return open_device(options);
  require_cpu(options, "--counters", "only the cpu device counts");
  build_module(counting_module,
               [](const std::string& words) { fmt::print(stderr, "{}\n", words); });
  return open_counted_device(options.cpu, options.lab.banks);
}

}  // namespace

int run_lab(const Options& options) {
  const LabOptions& asked = options.lab;
  if (asked.faults) return run_lab_faults(options);
  check_forms(asked);
  check_variants(asked);
  if (!asked.record.empty()) return run_lab_record(options);
  check_plot(asked);
  const auto device = open_lab_device(options);
  lab::Laboratory laboratory(*device, asked.runs);
  laboratory.in_spite_of_lockstep = !asked.variants.empty();
  const auto printer = make_printer(options);
  bool all_right = true;
  std::size_t asked_for = 0;
  std::size_t answered = 0;
  std::vector<Answer> plotted;
  printer->begin(*device);
  try {
    for (const Question& question : questions_of(asked, *device))
      answer(laboratory, question, asked, [&](const Answer& given) {
        all_right = all_right && given.difference.empty();
        ++asked_for;
        if (given.why_not.empty()) ++answered;
        printer->print(given);
        if (!asked.plot.empty() || !asked.busy.empty()) plotted.push_back(given);
        if (std::fflush(stdout) != 0)
          throw std::system_error(errno, std::generic_category(), "standard output");
      });
  } catch (...) {
    printer->end();  // what is there stays readable
    throw;
  }
  printer->end();
  write_plot(asked.plot, sweep_plot(plotted, SweepMetric::time, device_in_plots(device->info())));
  write_plot(asked.busy, busy_plot(plotted, device->info().name));
  if (asked.only_verify && answered == 0)
    throw Error("lab --verify",
                asked_for == 0 ? "no primitive has this input, so nothing was verified"
                               : fmt::format("nothing was verified: none of {} results could be "
                                             "computed, for the reasons above",
                                             asked_for),
                "Choose other variants, smaller sizes or another device");
  return all_right ? exit_success : exit_verify;
}

}  // namespace warpview
