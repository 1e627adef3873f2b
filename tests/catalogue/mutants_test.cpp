// Do the checks notice a variant that is wrong? Here every variant of the catalogue is replaced in
// turn by mutants of itself: one that does nothing, one that leaves out the last item, and for each
// array that it writes one with a wrong word there. The check of the catalogue's own tests and the
// laboratory, which times what it verified, must both complain about each. The memory holds the
// right result when a mutant begins, for the variant itself ran there before.
//
// One line per row says how many of the mutants were noticed: by the tests' check in all forms, and
// by the laboratory. --gtest_filter='*Mutants*' --gtest_brief=1 prints these alone.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "gpu/lab/laboratory.h"
#include "tests/catalogue/written.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t n = 1025;

enum class Mutation { none, nothing, last_item, wrong_word };
constexpr const char* names[] = {"", "nothing", "last item", "wrong word"};

// What the functions below are to do.
struct Switch {
  int row = -1;  // whose place they take
  Mutation mutation = Mutation::none;
  unsigned array = 0;         // wrong_word: in which, as they come in a check
  std::uint32_t flipped = 1;  // wrong_word: these bits
  unsigned arrays = 0;        // wrong_word: how many there were
  bool is(Mutation other) const { return mutation == other; }
};
Switch mutant;

// --- memory of the device, or of the host where a run's output is there

constexpr bool on_host(Primitive primitive) {
  return primitive == Primitive::memory || primitive == Primitive::signal;
}

template <Primitive primitive>
std::vector<std::byte> read(Stream& stream, const std::byte* from, std::size_t bytes) {
  std::vector<std::byte> copy(bytes);
  if (bytes == 0) return copy;
  if (on_host(primitive))
    std::memcpy(copy.data(), from, bytes);
  else
    stream.copy(copy.data(), from, bytes, Copy::device_to_host);
  stream.synchronize();
  return copy;
}
template <Primitive primitive>
void write(Stream& stream, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (on_host(primitive))
    std::memcpy(to, from, bytes);
  else
    stream.copy(to, from, bytes, Copy::host_to_device);
  stream.synchronize();
}

// Flips bits of the word in the middle, if it is this array's turn.
template <Primitive primitive>
bool flip(Stream& stream, const Written& array) {
  if (array.count == 0 || mutant.arrays++ != mutant.array) return false;
  std::byte* const item = array.item(array.count / 2);
  const std::size_t bytes = std::min(array.bytes, sizeof(std::uint32_t));
  std::uint32_t word = 0;
  std::memcpy(&word, read<primitive>(stream, item, bytes).data(), bytes);
  word ^= mutant.flipped;
  write<primitive>(stream, item, reinterpret_cast<const std::byte*>(&word), bytes);
  return true;
}

// --- a run, mutated: what precedes the real one, and what follows it

template <Primitive primitive, class Args>
class MutatedRun {
 public:
  MutatedRun(Stream& stream, const Args& args) : stream_(stream), args_(args), real_args_(args) {
    if (mutant.is(Mutation::last_item)) {
      shortened_ = leave_out_last(real_args_);
      if (!shortened_)
        for (const Written& array : written(stream, args, mutant.row).arrays)
          before_.push_back(read<primitive>(stream, array.memory, array.extent()));
    }
    if (mutant.is(Mutation::wrong_word))
      for (const Written& input : misread(args))
        if (flip<primitive>(stream, input)) misread_ = input;
  }

  // For the real function, which is to run if true.
  const Args& args() const { return real_args_; }
  static bool runs(const Args& args) { return !mutant.is(Mutation::nothing) || only_looks(args); }

  void finish() {
    if (mutant.is(Mutation::last_item) && !shortened_) restore_last();
    if (!mutant.is(Mutation::wrong_word)) return;
    stream_.synchronize();
    if (misread_) {  // the input is what it was
      mutant.arrays = mutant.array;
      flip<primitive>(stream_, *misread_);
    }
    const Output output = written(stream_, args_, mutant.row);
    for (const Written& array : output.arrays) flip<primitive>(stream_, array);
    for (const Written& total : output.totals) flip<primitive>(stream_, total);
  }

 private:
  void restore_last() {
    stream_.synchronize();
    const std::vector<Written> arrays = written(stream_, args_, mutant.row).arrays;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].count == 0) continue;
      std::byte* const last = arrays[i].item(arrays[i].count - 1);
      write<primitive>(stream_, last,
                       &before_[i][static_cast<std::size_t>(last - arrays[i].memory)],
                       arrays[i].bytes);
    }
  }

  Stream& stream_;
  Args args_, real_args_;
  bool shortened_ = false;
  std::vector<std::vector<std::byte>> before_;  // of each array, up to its room
  std::optional<Written> misread_;
};

// The function behind the switch. The stream is that of the device itself, not of the one before
// it whose table is changed.
template <Primitive primitive>
auto* real(Stream& stream) {
  return stream.device().table().get<primitive>(mutant.row);
}

template <Primitive primitive, class Args>
void mutated(Stream& stream, const Args& args, Scratch& scratch) {
  if (scratch.measuring() || mutant.is(Mutation::none))
    return real<primitive>(stream)(stream, args, scratch);
  if (!MutatedRun<primitive, Args>::runs(args)) return;
  MutatedRun<primitive, Args> run(stream, args);
  real<primitive>(stream)(stream, run.args(), scratch);
  run.finish();
}

// A run is over when its output is fetched, where that is on the host.
template <Primitive primitive, class Args>
class MutatedPrepared final : public Prepared {
 public:
  MutatedPrepared(Stream& stream, const Args& args, std::unique_ptr<Prepared> behind)
      : stream_(stream), args_(args), behind_(std::move(behind)) {}

  void reset() override { behind_->reset(); }
  void run() override {
    run_.reset();
    if (!MutatedRun<primitive, Args>::runs(args_)) return;
    if (!mutant.is(Mutation::none)) run_.emplace(stream_, args_);
    behind_->run();
    if (run_ && !on_host(primitive)) run_->finish();
  }
  void fetch() override {
    behind_->fetch();
    stream_.synchronize();
    if (run_ && on_host(primitive)) run_->finish();
  }
  void spoil(std::uint8_t byte) override { behind_->spoil(byte); }

 private:
  Stream& stream_;
  Args args_;
  std::unique_ptr<Prepared> behind_;
  std::optional<MutatedRun<primitive, Args>> run_;
};

template <Primitive primitive, class Args>
std::unique_ptr<Prepared> mutated(Stream& stream, const Args& args) {
  return std::make_unique<MutatedPrepared<primitive, Args>>(stream, args,
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
    for (const int row : variants_of(primitive))
      if (on.device->table().functions[static_cast<std::size_t>(row)])
        device_.replace_variant(row, mutated_function(primitive));
  }
  Device& operator*() { return device_; }
  Device* operator->() { return &device_; }

 private:
  SmallDevice device_;
};

// How a check ends that holds the row for right or finds a difference.
using Check = std::function<std::string(int row)>;

// Mutants that were tried, and those that were noticed.
struct Tally {
  int tried = 0;
  int noticed = 0;
};

// Why what is left of a variant without its last item is right all the same; empty where it is not.
std::string right_without_last(Primitive primitive, std::string_view form) {
  if (primitive == Primitive::reduce &&
      (form == "min_i32" || form == "max_i32" || form == "max_f32" || form == "scene_bounds" ||
       form == "and_u32" || form == "or_u32"))
    return "another item decides";
  return {};
}

// The check must notice the row's mutants: `arrays` words can be wrong. Where the form rounds, the
// lowest bits of a result may be.
void try_mutants(const Check& check, int row, const lab::Form& form, unsigned arrays,
                 std::array<Tally, 4>& tallies) {
  const auto attempt = [&](Mutation mutation, unsigned array) {
    SCOPED_TRACE(std::string(names[static_cast<std::size_t>(mutation)]) + " " +
                 std::to_string(array));
    mutant = {.row = row, .mutation = mutation, .array = array, .flipped = form.rounds ? ~0U : 1U};
    const std::string difference = check(row);
    Tally& tally = tallies[static_cast<std::size_t>(mutation)];
    ++tally.tried;
    if (!difference.empty()) ++tally.noticed;
    EXPECT_NE(difference, "");
  };
  attempt(Mutation::nothing, 0);
  if (right_without_last(variant_at(row).primitive, form.name).empty())
    attempt(Mutation::last_item, 0);
  EXPECT_GT(arrays, 0U);
  for (unsigned array = 0; array < arrays; ++array) attempt(Mutation::wrong_word, array);
  mutant = {};
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
    // By row: what the check of the tests and the laboratory noticed.
    std::map<int, std::array<std::array<Tally, 4>, 2>> noticed;
    std::map<int, unsigned> arrays;  // of a check of the first form
    const auto for_rows = [&](int form, const auto& test) {
      for (const int row : variants_of(primitive)) {
        const lab::Form& which = kind.forms[static_cast<std::size_t>(form)];
        if (!lab::why_not(row, form, device->info(), n).empty()) continue;
        SCOPED_TRACE(std::string(variant_at(row).name) + ", form " + which.name + ", on " +
                     on.name);
        test(row, which);
      }
    };

    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      const auto experiment = kind.make({.device = *device,
                                         .stream = *stream,
                                         .n = n,
                                         .form = form,
                                         .distribution = kind.distributions.front()});
      const Check check = [&](int row) { return experiment->run_verified(row); };
      for_rows(form, [&](int row, const lab::Form& which) {
        mutant = {.row = row};
        ASSERT_EQ(check(row), "");
        // A wrong word in no array: counts them.
        mutant = {.row = row, .mutation = Mutation::wrong_word, .array = ~0U};
        ASSERT_EQ(check(row), "");
        const unsigned count = mutant.arrays;
        if (form == 0) arrays[row] = count;
        try_mutants(check, row, which, count, noticed[row][0]);
      });
    }

    const lab::Question question = {
        .primitive = primitive, .distribution = kind.distributions.front(), .n = n};
    lab::Laboratory laboratory(*device, 1);
    laboratory.ask(question);
    const Check ask_laboratory = [&](int row) {
      const lab::Answer answer = laboratory.measure(row);
      EXPECT_EQ(answer.verified, answer.difference.empty());
      EXPECT_EQ(answer.runs > 0, answer.verified);
      return answer.difference;
    };
    for_rows(0, [&](int row, const lab::Form& which) {
      mutant = {.row = row};
      EXPECT_TRUE(laboratory.verify(row).verified);
      try_mutants(ask_laboratory, row, which, arrays[row], noticed[row][1]);
    });

    for (const auto& [row, by_checker] : noticed) {
      std::printf("mutants %-4s %-13s %-22s", to_string(on.device->info().backend),
                  to_string(primitive), variant_at(row).name);
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
