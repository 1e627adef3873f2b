#include "gpu/lab/laboratory.h"

#include <algorithm>
#include <bit>

#include "gpu/runtime/cpu/host_memory.h"
#include "gpu/runtime/digits.h"

namespace warpview::lab {
namespace {

// Bound for the repetitions: a slow variant is timed less often.
constexpr double most_ms_a_variant = 1000.0;
constexpr int fewest_runs = 3;

// Host memory per item: the values that input is made of, the input, the expected result and the
// actual one.
double host_bytes_each(const ExperimentKind& kind) {
  return kind.memory_each + sizeof(std::uint64_t);
}

double mebibytes(double bytes) { return bytes / (1 << 20); }

std::string in_words(double mebibytes) {
  return std::to_string(static_cast<long long>(mebibytes + 1)) + " MiB";
}

}  // namespace

void type_input(Question& question, std::vector<std::int64_t> numbers) {
  question.n = static_cast<std::uint32_t>(numbers.size());
  question.distribution = Distribution::typed;
  question.typed = std::move(numbers);
}

void take_mesh(Question& question, std::shared_ptr<const MeshInput> mesh) {
  question.n = items_a_triangle(question.primitive, question.form) * mesh->triangles();
  question.distribution = Distribution::mesh;
  question.typed.clear();
  question.mesh = std::move(mesh);
}

namespace {

std::string why_not_mesh(const Question& question) {
  const std::uint32_t each = items_a_triangle(question.primitive, question.form);
  const ExperimentKind& kind = experiment(question.primitive);
  if (each == 0)
    return std::string("its ") + kind.items + " are not made from triangles in form " +
           kind.forms[static_cast<std::size_t>(question.form)].name;
  if (!question.mesh || question.mesh->corners.size() != 3 * std::size_t{question.n} / each)
    return "the mesh has another number of triangles";
  return {};
}

}  // namespace

std::string why_not_input(const Question& question) {
  if (question.mesh || question.distribution == Distribution::mesh) {
    if (!question.mesh || question.distribution != Distribution::mesh || !question.typed.empty())
      return "input from a mesh is its triangles alone";
    return why_not_mesh(question);
  }
  const bool is_typed = question.distribution == Distribution::typed;
  if (is_typed != !question.typed.empty() || (is_typed && question.typed.size() != question.n) ||
      question.typed.size() > most_typed)
    return "typed input is 1 to " + std::to_string(most_typed) + " numbers, one for each item";
  if (!is_typed && question.distribution != Distribution::small) return {};
  const ExperimentKind& kind = experiment(question.primitive);
  const auto range = number_range(question.primitive, question.form);
  if (!range)
    return std::string("its ") + kind.items + " are not whole numbers in form " +
           kind.forms[static_cast<std::size_t>(question.form)].name;
  for (const std::int64_t number : question.typed)
    if (number < range->least || number > range->most)
      return std::to_string(number) + " is not one of its numbers, which go from " +
             std::to_string(range->least) + " to " + std::to_string(range->most);
  return {};
}

namespace {

// Its first pass does nothing with small numbers: all of them have the same highest digit.
bool starts_with_highest_digit(VariantId variant) {
  return variant->primitive == Primitive::sort &&
         std::string_view(variant->name).starts_with("msd");
}

}  // namespace

Distribution recorded_distribution(VariantId variant, int form) {
  const ExperimentKind& kind = experiment(variant->primitive);
  const bool is_small =
      number_range(variant->primitive, form) && !starts_with_highest_digit(variant);
  return is_small ? Distribution::small : kind.distributions.front();
}

std::unique_ptr<Experiment> make_experiment(Device& device, Stream& stream,
                                            const Question& question) {
  if (const std::string why = why_not_input(question); !why.empty())
    throw Error(std::string(title(question.primitive)) + " of " + to_string(question.distribution) +
                    " input",
                why, "Choose other input");
  return experiment(question.primitive)
      .make({.device = device,
             .stream = stream,
             .n = question.n,
             .form = question.form,
             .distribution = question.distribution,
             .seed = question.seed,
             .typed = question.typed,
             .mesh = question.mesh});
}

std::uint32_t most_items(Primitive primitive, const Device& device) {
  const ExperimentKind& kind = experiment(primitive);
  const double fit =
      0.9 * std::min(static_cast<double>(device.memory_available()) / kind.memory_each,
                     static_cast<double>(host_memory_available()) / host_bytes_each(kind));
  const double most = device.info().backend == Backend::cpu ? kind.most_on_cpu : 0x1p28;
  return std::bit_floor(static_cast<std::uint32_t>(std::clamp(fit, 1.0, most)));
}

Laboratory::Laboratory(Device& device, int runs)
    : device_(device),
      runs_(runs > 0 ? runs : (device.info().backend == Backend::cpu ? 5 : 50)),
      stream_(device.create_stream()),
      stopwatch_(device),
      copy_(device, *stream_, stopwatch_) {}

void Laboratory::ask(const Question& question) {
  experiment_.reset();
  const ExperimentKind& kind = lab::experiment(question.primitive);
  const auto check_room = [&](double bytes_each, double available, const std::string& where) {
    const double needed = bytes_each * question.n;
    if (needed <= available) return;
    throw Error(
        std::string(title(question.primitive)) + " of " + group_digits(question.n) + " " +
            kind.items + ", about " + in_words(mebibytes(needed)),
        in_words(mebibytes(available)) + " are free " + where,
        "Choose a smaller size: " + group_digits(most_items(question.primitive, device_)) + " fit");
  };
  check_room(kind.memory_each, static_cast<double>(device_.memory_available()),
             "on " + device_.info().name);
  check_room(host_bytes_each(kind), static_cast<double>(host_memory_available()), "on the host");
  question_ = question;
  library_ = {};
  variants_ = variants_of(question.primitive);
  std::stable_partition(variants_.begin(), variants_.end(), is_library);
  experiment_ = make_experiment(device_, *stream_, question);
}

Answer Laboratory::verify(VariantId variant) {
  Answer answer{.question = question_, .variant = variant};
  DeviceInfo info = device_.info();
  info.lockstep = info.lockstep && !in_spite_of_lockstep;
  answer.why_not = why_not(variant, question_.form, info, question_.n);
  if (answer.why_not.empty() && !device_.table().has(variant))
    answer.why_not = why_unavailable(variant, device_);
  if (!answer.why_not.empty()) return answer;
  LaunchLog& log = stream_->device().launches;
  try {
    answer.difference = experiment_->run_verified(variant, [&] {
      log.begin();
      if (device_.info().counts) take_counters();
      experiment_->run(variant);
      if (device_.info().counts) answer.counters = take_counters();
      answer.launches = log.take();
    });
  } catch (const Error& error) {
    if (log.recording()) answer.launches = log.take();
    answer.difference = error.what();
  } catch (...) {  // it was interrupted
    if (log.recording()) log.take();
    throw;
  }
  answer.verified = answer.difference.empty();
  if (answer.verified) {
    answer.scratch = experiment_->scratch_arrays();
    for (Region& array : answer.scratch) array.data = nullptr;
    answer.operations = experiment_->operations();
    answer.occurrences = experiment_->occurrences();
    answer.facts = experiment_->facts(
        {.variant = variant, .launches = answer.launches, .counters = answer.counters});
  }
  return answer;
}

Answer Laboratory::measure(VariantId variant) {
  Answer answer = verify(variant);
  if (!answer.verified) return answer;
  try {
    const ExperimentKind& kind = lab::experiment(question_.primitive);
    stopwatch_.warm_up(*stream_);
    std::vector<double> times;
    double spent = 0.0;
    while (static_cast<int>(times.size()) < runs_ &&
           (spent < most_ms_a_variant || static_cast<int>(times.size()) < fewest_runs)) {
      if (stop && stop()) {
        if (times.empty()) return answer;
        break;
      }
      experiment_->reset();
      times.push_back(stopwatch_.time(
          *stream_, [&] { experiment_->run(variant); }, kind.start,
          [&] { experiment_->warm_caches(); }));
      spent += times.back();
    }
    answer.ms = median(times);
    answer.quartile_1_ms = quantile(times, 0.25);
    answer.quartile_3_ms = quantile(times, 0.75);
    answer.runs = static_cast<int>(times.size());
    answer.facts = experiment_->facts({.variant = variant,
                                       .ms = answer.ms,
                                       .launches = answer.launches,
                                       .counters = answer.counters});
    answer.bytes = experiment_->bytes_needed(question_.primitive);
    answer.bytes_moved = experiment_->bytes_moved(variant);
    answer.copy_gb_per_s = copy_.gb_per_s(answer.bytes);
    if (is_library(variant))
      library_ = {answer.ms, answer.quartile_1_ms, answer.quartile_3_ms, answer.runs};
    answer.library = library_;
    if (kind.tells_busy) {
      experiment_->reset();
      answer.busy = experiment_->busy(variant);
    }
  } catch (const Error& error) {
    answer.difference = error.what();
  }
  return answer;
}

std::vector<Answer> Laboratory::answer(const Question& question) {
  ask(question);
  std::vector<Answer> answers;
  for (const VariantId variant : variants_) answers.push_back(measure(variant));
  return answers;
}

}  // namespace warpview::lab
