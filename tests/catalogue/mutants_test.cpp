// Tests that the checks notice a wrong variant. Every variant of the catalogue is replaced in turn
// by mutants of itself: one that does nothing, one that leaves out the last item, and for each
// array that it writes one with a wrong word there. The check of the catalogue's own tests and the
// laboratory, which times verified variants, must both report each. The memory holds the right
// result when a mutant begins, because the variant itself ran there before.
//
// One line per variant says how many of the mutants were noticed: by the tests' check in all forms,
// and by the laboratory. --gtest_filter='*Mutants*' --gtest_brief=1 prints only these lines.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "gpu/lab/laboratory.h"
#include "gpu/primitives/optimise/optimise.h"
#include "tests/catalogue/regions.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t n = 1025;

enum class Mutation { none, nothing, last_item, wrong_word };
constexpr const char* names[] = {"", "nothing", "last item", "wrong word"};

// The task of the functions below.
struct Switch {
  VariantId variant{0};  // that mutants replace
  Mutation mutation = Mutation::none;
  unsigned word = 0;          // wrong_word: its index, in the order of a check
  std::uint32_t flipped = 1;  // wrong_word: these bits
  bool shortened = false;     // last_item: from the input, not from the output
  unsigned words = 0;         // wrong_word: the number of words
  bool has_places = false;    // whether an array has a place for the last item
  bool is(Mutation other) const { return mutation == other; }
};
Switch mutant;
// The running experiment: it knows where outputs lie.
lab::Experiment* experiment = nullptr;

// --- a mutated run: what precedes the real one, and what follows it

// An experiment gets some of its outputs from the variant itself, which then must not be mutated.
bool looks = false;
std::vector<Region> regions_of(std::vector<Region> (lab::Experiment::*list)()) {
  looks = true;
  std::vector<Region> regions = (experiment->*list)();
  looks = false;
  return regions;
}

// A run's writes are the differences in the experiment's outputs afterwards. The outputs are
// overwritten before a checked run, so unchanged bytes were not written.
class MutatedRun {
 public:
  explicit MutatedRun(Stream& stream) : stream_(stream) {
    for (const auto list : {&lab::Experiment::outputs, &lab::Experiment::result})
      for (const Region& region : regions_of(list))
        before_.push_back({region, read(stream, region)});
  }

  void finish() {
    stream_.synchronize();
    for (const Region& region : regions_of(&lab::Experiment::result)) {
      const std::optional<std::vector<std::byte>> before = before_of(region);
      if (!before) continue;
      const Change change{region, *before, read(stream_, region)};
      if (mutant.is(Mutation::last_item)) restore_last(change);
      if (mutant.is(Mutation::wrong_word)) flip_word(change);
      if (region.size() > 1 && *before != change.after) mutant.has_places = true;
    }
  }

 private:
  struct Change {
    Region region;
    std::vector<std::byte> before;
    std::vector<std::byte> after;

    bool is_at(std::size_t begin, std::size_t bytes) const {
      return std::memcmp(&before[begin], &after[begin], bytes) != 0;
    }
  };

  std::optional<std::vector<std::byte>> before_of(const Region& region) const {
    for (const auto& [known, bytes] : before_) {
      const auto* const begin = static_cast<const std::byte*>(known.data);
      const auto* const data = static_cast<const std::byte*>(region.data);
      if (region.bytes > 0 && data >= begin && data + region.bytes <= begin + known.bytes)
        return std::vector(bytes.begin() + (data - begin),
                           bytes.begin() + (data - begin) + static_cast<long>(region.bytes));
    }
    return {};
  }

  void restore_last(const Change& change) {
    const std::size_t size = change.region.type.bytes;
    if (change.region.size() < 2) return;
    for (std::size_t i = change.region.size(); i-- > 0;)
      if (change.is_at(i * size, size)) {
        write(stream_, change.region, i * size, std::span(change.before).subspan(i * size, size));
        return;
      }
  }

  // Each word of an element may be the wrong one: in the middle element, or in the first one after
  // it in which the run wrote that word.
  void flip_word(const Change& change) {
    const std::size_t size = change.region.type.bytes;
    const std::size_t count = change.region.size();
    for (std::size_t word = 0; word < size; word += sizeof(std::uint32_t)) {
      const std::size_t bytes = std::min(size - word, sizeof(std::uint32_t));
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = (count / 2 + i) % count * size + word;
        if (!change.is_at(begin, bytes)) continue;
        if (mutant.words++ == mutant.word) {
          std::uint32_t value = 0;
          std::memcpy(&value, &change.after[begin], bytes);
          value ^= mutant.flipped;
          write(stream_, change.region, begin, std::as_bytes(std::span(&value, 1)).first(bytes));
        }
        break;
      }
    }
  }

  Stream& stream_;
  std::vector<std::pair<Region, std::vector<std::byte>>> before_;
};

// A run without items only reports what earlier runs have done.
template <class Args>
bool only_looks(const Args& args) {
  if constexpr (requires { args.n; }) return args.n == 0;
  return false;
}
// Takes the last item from the input, for runs whose outputs have no separate place for it.
template <class Args>
Args without_last(Args args) {
  if constexpr (requires { --args.n; }) --args.n;
  return args;
}

// Whether the output is in host memory, where it is after its download.
bool is_on_host() {
  const std::vector<Region> outputs = experiment->outputs();
  return !outputs.empty() && outputs.front().on_host;
}

// The original function. The stream belongs to the inner device, not to the wrapper with the
// changed table.
template <Primitive primitive>
auto* real(Stream& stream) {
  return stream.device().table().get<primitive>(mutant.variant);
}

template <Primitive primitive, class Args>
void mutated(Stream& stream, const Args& args, Scratch& scratch) {
  auto* const function = real<primitive>(stream);
  if (scratch.measuring() || looks || mutant.is(Mutation::none))
    return function(stream, args, scratch);
  if (mutant.is(Mutation::nothing)) {
    if (only_looks(args)) function(stream, args, scratch);
    return;
  }
  MutatedRun run(stream);
  if (mutant.is(Mutation::last_item) && mutant.shortened && !only_looks(args))
    return function(stream, without_last(args), scratch);
  function(stream, args, scratch);
  run.finish();
}

// If the output is on the host, a run ends with its download.
template <Primitive primitive, class Args>
class MutatedPrepared final : public Prepared {
 public:
  explicit MutatedPrepared(Stream& stream, std::unique_ptr<Prepared> behind)
      : stream_(stream), behind_(std::move(behind)) {}

  void reset() override { behind_->reset(); }
  void run() override {
    run_.reset();
    if (mutant.is(Mutation::nothing)) return;
    if (!mutant.is(Mutation::none)) run_.emplace(stream_);
    behind_->run();
    if (!is_on_host()) finish();
  }
  void fetch() override {
    behind_->fetch();
    if (is_on_host() && !looks) finish();
  }
  void spoil(std::uint8_t byte) override { behind_->spoil(byte); }

 private:
  void finish() {
    if (run_) run_->finish();
    run_.reset();
  }

  Stream& stream_;
  std::unique_ptr<Prepared> behind_;
  std::optional<MutatedRun> run_;
};

template <Primitive primitive, class Args>
std::unique_ptr<Prepared> mutated(Stream& stream, const Args& args) {
  return std::make_unique<MutatedPrepared<primitive, Args>>(stream,
                                                            real<primitive>(stream)(stream, args));
}

BackendTable::Any mutated_function(Primitive primitive) {
  switch (primitive) {
#define PRIMITIVE(name, Args, Function, ...)                         \
  case Primitive::name: {                                            \
    Function<Args>* const function = mutated<Primitive::name, Args>; \
    return reinterpret_cast<BackendTable::Any>(function);            \
  }
#include "gpu/primitives.def"
#undef PRIMITIVE
  }
  return nullptr;
}

// --- the checks

// One CPU device, and every GPU.
const std::vector<TestDevice>& devices() { return devices_for(65537); }

// A device whose variants of one primitive can be mutated.
class MutableDevice {
 public:
  MutableDevice(const TestDevice& on, Primitive primitive) : device_(on.device) {
    for (const VariantId variant : variants_of(primitive))
      if (on.device->table().has(variant))
        device_.replace_variant(variant, mutated_function(primitive));
  }
  Device& operator*() { return device_; }
  Device* operator->() { return &device_; }

 private:
  SmallDevice device_;
};

// The result of a check: empty if it accepts the variant, otherwise the difference.
using Check = std::function<std::string(VariantId variant)>;

// Mutants that were tried, and mutants that were noticed.
struct Tally {
  int tried = 0;
  int noticed = 0;
};

// The check must notice the variant's mutants. `whole` is the result of a run that wrote all words
// right. Where the form or the variant rounds, the lowest bits of a result may be wrong.
void try_mutants(const Check& check, VariantId variant, const lab::Form& form, const Switch& whole,
                 std::array<Tally, 4>& tallies) {
  const lab::ExperimentKind& kind = lab::experiment(variant->primitive);
  const auto attempt = [&](Mutation mutation, unsigned word) {
    SCOPED_TRACE(std::string(names[static_cast<std::size_t>(mutation)]) + " " +
                 std::to_string(word));
    mutant = {.variant = variant,
              .mutation = mutation,
              .word = word,
              .flipped = form.rounds || (kind.rounds && kind.rounds(variant)) ? ~0U : 1U,
              .shortened = !whole.has_places};
    const std::string difference = check(variant);
    Tally& tally = tallies[static_cast<std::size_t>(mutation)];
    ++tally.tried;
    if (!difference.empty()) ++tally.noticed;
    EXPECT_NE(difference, "");
  };
  attempt(Mutation::nothing, 0);
  if (!form.one_decides) attempt(Mutation::last_item, 0);
  EXPECT_GT(whole.words, 0U);
  for (unsigned word = 0; word < whole.words; ++word) attempt(Mutation::wrong_word, word);
  mutant = {};
}

// Runs the variant unchanged, and then with a wrong word in no array, which counts the words.
Switch told_by_right_run(const Check& check, VariantId variant) {
  mutant = {.variant = variant};
  EXPECT_EQ(check(variant), "");
  mutant = {.variant = variant, .mutation = Mutation::wrong_word, .word = ~0U};
  EXPECT_EQ(check(variant), "");
  return mutant;
}

std::vector<Primitive> every_primitive() {
  std::vector<Primitive> all;
  for (int p = 0; p < primitive_count; ++p) all.push_back(static_cast<Primitive>(p));
  return all;
}

class Mutants : public testing::TestWithParam<Primitive> {};

TEST_P(Mutants, AreNoticed) {
  const Primitive primitive = GetParam();
  const lab::ExperimentKind& kind = lab::experiment(primitive);
  for (const TestDevice& on : devices()) {
    MutableDevice device(on, primitive);
    const auto stream = device->create_stream();
    // By variant: what the check of the tests and the laboratory noticed.
    std::map<VariantId, std::array<std::array<Tally, 4>, 2>> noticed;
    const auto for_rows = [&](int form, const auto& test) {
      for (const VariantId variant : variants_of(primitive)) {
        const lab::Form& which = kind.forms[static_cast<std::size_t>(form)];
        if (!lab::why_not(variant, form, device->info(), n).empty()) continue;
        SCOPED_TRACE(std::string(variant->name) + ", form " + which.name + ", on " + on.name);
        test(variant, which);
      }
    };

    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      const auto made = kind.make({.device = *device,
                                   .stream = *stream,
                                   .n = n,
                                   .form = form,
                                   .distribution = kind.distributions.front()});
      experiment = made.get();
      const Check check = [&](VariantId variant) { return experiment->run_verified(variant); };
      for_rows(form, [&](VariantId variant, const lab::Form& which) {
        try_mutants(check, variant, which, told_by_right_run(check, variant), noticed[variant][0]);
      });
    }

    const lab::Question question = {
        .primitive = primitive, .distribution = kind.distributions.front(), .n = n};
    lab::Laboratory laboratory(*device, 1);
    laboratory.ask(question);
    experiment = &laboratory.experiment();
    const Check ask_laboratory = [&](VariantId variant) {
      const lab::Answer answer = laboratory.measure(variant);
      EXPECT_EQ(answer.verified, answer.difference.empty());
      EXPECT_EQ(answer.runs > 0, answer.verified);
      return answer.difference;
    };
    for_rows(0, [&](VariantId variant, const lab::Form& which) {
      const Check verify = [&](VariantId each) { return laboratory.verify(each).difference; };
      try_mutants(ask_laboratory, variant, which, told_by_right_run(verify, variant),
                  noticed[variant][1]);
    });

    for (const auto& [row, by_checker] : noticed) {
      std::printf("mutants %-4s %-13s %-22s", to_string(on.device->info().backend),
                  to_string(primitive), row->name);
      for (std::size_t mutation = 1; mutation < std::size(names); ++mutation) {
        std::printf(" | %s", names[mutation]);
        for (const auto& tallies : by_checker)
          std::printf(" %2d/%-2d", tallies[mutation].noticed, tallies[mutation].tried);
      }
      std::printf("\n");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Mutants, testing::ValuesIn(every_primitive()),
                         [](const auto& primitive) {
                           return std::string(to_string(primitive.param));
                         });

}  // namespace
}  // namespace warpview::test
