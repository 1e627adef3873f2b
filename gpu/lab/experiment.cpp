#include "gpu/lab/experiment.h"

#include "gpu/limits.h"
#include "gpu/runtime/digits.h"

namespace warpview::lab {

// Defined in gpu/primitives/<primitive>/experiment.cpp.
#define PRIMITIVE(name, ...) const ExperimentKind& name##_experiment();
#include "gpu/primitives.def"
#undef PRIMITIVE

std::string Experiment::run_verified(VariantId variant, const std::function<void()>& work) {
  spoil();
  reset();
  work();
  stream_.synchronize();
  return check(variant);
}

void Experiment::spoil() {
  scratch_.fill(stream_, spoiled_byte);
  stream_.synchronize();  // a copy to the host may still be in flight into an output there
  for (const Region& output : outputs()) {
    if (!output.on_host)
      stream_.fill(output.data, spoiled_byte, output.bytes);
    else if (output.bytes > 0)
      std::memset(output.data, spoiled_byte, output.bytes);
  }
  spoil_more();
}

const ExperimentKind& experiment(Primitive primitive) {
  using Get = const ExperimentKind& (*)();
  constexpr Get kinds[] = {
#define PRIMITIVE(name, ...) name##_experiment,
#include "gpu/primitives.def"
#undef PRIMITIVE
  };
  return kinds[static_cast<std::size_t>(primitive)]();
}

std::uint32_t most_items(VariantId variant) {
  const Primitive primitive = variant->primitive;
  const ExperimentKind& kind = experiment(primitive);
  const std::uint32_t own = kind.most_items ? kind.most_items(variant) : 0;
  return own > 0 ? own : limit_of(primitive);
}

int find_form(Primitive primitive, std::string_view name) {
  std::string names;
  int index = 0;
  for (const Form& form : experiment(primitive).forms) {
    if (name == form.name) return index;
    if (index++ > 0) names += ", ";
    names += form.name;
  }
  throw Error("form \"" + std::string(name) + "\"",
              std::string(to_string(primitive)) + " has no such form", "Choose one of " + names);
}

std::optional<NumberRange> number_range(Primitive primitive, int form) {
  const ExperimentKind& kind = experiment(primitive);
  return kind.numbers ? kind.numbers(form) : std::nullopt;
}

std::uint32_t items_a_triangle(Primitive primitive, int form) {
  const ExperimentKind& kind = experiment(primitive);
  return kind.items_a_triangle ? kind.items_a_triangle(form) : 0;
}

std::optional<std::vector<std::int64_t>> given_numbers(const Setup& setup,
                                                       const NumberRange& range) {
  if (setup.distribution == Distribution::typed) return setup.typed;
  if (setup.distribution != Distribution::small) return std::nullopt;
  std::vector<std::int64_t> numbers(setup.n);
  const auto count = static_cast<std::uint64_t>(std::min(range.small_most, range.most)) + 1;
  const auto wide = integers(Distribution::uniform, setup.n, 32, setup.seed);
  std::ranges::transform(wide, numbers.begin(), [count](std::uint64_t word) {
    return static_cast<std::int64_t>(word * count >> 32U);
  });
  return numbers;
}

std::vector<std::uint32_t> words(const Setup& setup) {
  const auto as_word = [](auto number) { return static_cast<std::uint32_t>(number); };
  std::vector<std::uint32_t> made(setup.n);
  if (const auto given = given_numbers(setup, words_range))
    std::ranges::transform(*given, made.begin(), as_word);
  else
    std::ranges::transform(integers(setup.distribution, setup.n, 32, setup.seed), made.begin(),
                           as_word);
  return made;
}

std::vector<Aabb> boxes(const Setup& setup) {
  return setup.mesh ? boxes(*setup.mesh) : boxes(setup.distribution, setup.n, setup.seed);
}

std::string why_not(VariantId variant, int form, const DeviceInfo& device, std::uint32_t n) {
  std::string why = why_unavailable(*variant, device);
  const ExperimentKind& kind = experiment(variant->primitive);
  if (why.empty() && kind.why_not) why = kind.why_not(variant, form);
  if (why.empty() && n > most_items(variant))
    why = "it takes " + group_digits(most_items(variant)) + " " + kind.items + " at most";
  return why;
}

}  // namespace warpview::lab
